package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;

/** The observer that prints the lines of {@link Looper#setMessageLogging}. */
final class DispatchLog implements MessageObserver {
    private final Printer printer;

    DispatchLog(Printer printer) {
        this.printer = printer;
    }

    @Override
    public @Nullable Object starting(Message message, @Nullable Object note) {
        printer.println(">>>>> Dispatching to " + message.target + " " + message.callback + ": " + message.what);
        return null;
    }

    @Override
    public void finished(Message message, @Nullable Object note, @Nullable Throwable thrown) {
        if (thrown == null) {
            printer.println("<<<<< Finished to " + message.target + " " + message.callback);
        }
    }
}
