/** Converts a trace of any readable format to Perfetto's format: {@link dev.unjank.trace.convert.PerfettoConverter}. */
@NullMarked
package dev.unjank.trace.convert;

import org.jspecify.annotations.NullMarked;
