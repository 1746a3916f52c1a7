package dev.unjank.trace.build.event;

import org.jspecify.annotations.Nullable;

/**
 * What only a list of processes contains.
 *
 * @param pid the process
 * @param commandLine the id of its whole command line, -1 if unknown
 * @param startNs when it started, {@link Long#MIN_VALUE} if unknown
 * @param isKernelThread whether it is a kernel thread; null if the list does not distinguish them
 * @param isChildOfIdle whether its parent has pid 0
 */
public record ProcessDetails(
        int pid, int commandLine, long startNs, @Nullable Boolean isKernelThread, boolean isChildOfIdle) {}
