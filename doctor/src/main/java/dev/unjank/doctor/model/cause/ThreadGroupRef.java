package dev.unjank.doctor.model.cause;

import dev.unjank.doctor.model.ThreadRef;

/**
 * The threads of one role in a root cause, such as the workers of a pool.
 *
 * @param name the common part of their names, with {@code #} for numbers: {@code http-worker-#}; the name of a single
 *     thread
 * @param longest the thread with the longest time among them
 * @param threads the number of threads
 */
public record ThreadGroupRef(String name, ThreadRef longest, int threads) {}
