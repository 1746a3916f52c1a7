/**
 * Reads Perfetto's format: cuts a file into packets and imports each kind of packet, such as track events, process
 * trees, frames and perf samples. Ftrace bundles are in {@code read.perfetto.ftrace}.
 */
@NullMarked
package dev.unjank.trace.read.perfetto;

import org.jspecify.annotations.NullMarked;
