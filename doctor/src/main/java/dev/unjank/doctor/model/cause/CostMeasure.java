package dev.unjank.doctor.model.cause;

/** The time by which root causes are ranked; the first that a trace has is used. */
public enum CostMeasure {
    /** The time that incidents took from missed frames. */
    MISSED_FRAMES,
    /** The blocked time of event threads and main threads, which users notice. */
    EVENT_THREADS,
    /** The blocked time of the threads of pools, which handle requests. */
    REQUEST_THREADS,
    /** The blocked time of all threads. */
    ALL_THREADS
}
