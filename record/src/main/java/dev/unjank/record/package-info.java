/**
 * Recorder of running programs, which writes traces in Perfetto's format. {@link dev.unjank.record.LooperTrace} records
 * the messages of loopers; {@code docs/reference/marks.md} specifies the trace events that it writes.
 */
@NullMarked
package dev.unjank.record;

import org.jspecify.annotations.NullMarked;
