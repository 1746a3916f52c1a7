package dev.unjank.looper;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What goes to the looper's log, instead of the console, until this is closed. */
final class LogCapture extends Handler implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger("dev.unjank.looper");

    final List<String> lines = new CopyOnWriteArrayList<>();

    LogCapture() {
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(this);
    }

    @Override
    public void publish(LogRecord entry) {
        lines.add(entry.getLevel() + " " + entry.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOGGER.removeHandler(this);
        LOGGER.setUseParentHandlers(true);
    }
}
