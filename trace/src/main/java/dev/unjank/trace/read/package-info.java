/**
 * Reads trace files: {@link dev.unjank.trace.read.TraceReader} is the entry. It detects the format, unpacks archives,
 * calls the reader of the format and merges several traces onto one clock.
 */
@NullMarked
package dev.unjank.trace.read;

import org.jspecify.annotations.NullMarked;
