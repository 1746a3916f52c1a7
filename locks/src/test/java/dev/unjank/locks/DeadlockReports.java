package dev.unjank.locks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures the reports of deadlocks while it is open. */
final class DeadlockReports extends Handler implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger("dev.unjank.locks");

    private final List<String> reports = Collections.synchronizedList(new ArrayList<>());

    DeadlockReports() {
        LOGGER.addHandler(this);
    }

    List<String> seen() {
        return List.copyOf(reports);
    }

    @Override
    public void publish(LogRecord logged) {
        if (logged.getMessage().startsWith("deadlock")) {
            reports.add(logged.getMessage());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOGGER.removeHandler(this);
    }
}
