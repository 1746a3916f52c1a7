package dev.unjank.record.helper;

import java.io.IOException;

/** The failure of a request because the helper process has ended: the target's user may kill it at any time. */
public final class HelperEndedException extends IOException {
    private static final long serialVersionUID = 1;

    HelperEndedException() {
        super(HelperProcess.GONE);
    }
}
