/** Writes a trace of any format that can be read in Perfetto's: {@link dev.unjank.trace.convert.PerfettoConverter}. */
@NullMarked
package dev.unjank.trace.convert;

import org.jspecify.annotations.NullMarked;
