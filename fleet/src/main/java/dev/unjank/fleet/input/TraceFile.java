package dev.unjank.fleet.input;

import java.nio.file.Path;

/**
 * A trace file on this machine.
 *
 * @param name its name in the rows: a path, or an archive's path, {@code !/} and the name within
 * @param bytes its size
 * @param isFound whether it was found in a folder, in an archive or by a pattern, so that it may not be a trace
 */
public record TraceFile(String name, Path path, long bytes, boolean isFound) {}
