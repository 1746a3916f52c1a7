package dev.unjank.lab.overhead;

/** What the process does that is recorded. */
public enum Workload {
    /** Four threads that meet at a monitor and at a lock of {@code java.util.concurrent}. */
    CONTENDED("contended", "4 threads at a monitor and a ReentrantLock, 2 us inside, 4 us outside"),
    /** A message loop that is kept busy. */
    MESSAGES("messages", "a looper, 10 us a message, 2 threads that post by 64, 60 frames a second"),
    /** Nothing. */
    IDLE("idle", "nothing at all");

    private final String label;
    private final String description;

    Workload(String label, String description) {
        this.label = label;
        this.description = description;
    }

    /**
     * What it is called on the command line.
     *
     * @return a word
     */
    public String label() {
        return label;
    }

    /**
     * What it is.
     *
     * @return a few words
     */
    public String description() {
        return description;
    }
}
