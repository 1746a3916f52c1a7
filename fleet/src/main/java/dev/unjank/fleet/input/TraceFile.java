package dev.unjank.fleet.input;

import java.nio.file.Path;

/**
 * A trace that is at hand.
 *
 * @param name by which it is known in the rows: a path, or an archive's path, {@code !/}, and the name within
 * @param path where its bytes are
 * @param bytes how many
 * @param isFound whether it was only found, in a folder, in an archive or by a pattern, and nobody said that it is a trace
 */
public record TraceFile(String name, Path path, long bytes, boolean isFound) {}
