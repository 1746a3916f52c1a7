/**
 * Reading trace files: {@link dev.unjank.trace.read.TraceReader} is the way in, everything else an importer of one part of
 * the format, feeding a {@link dev.unjank.trace.TraceBuilder}.
 */
@NullMarked
package dev.unjank.trace.read;

import org.jspecify.annotations.NullMarked;
