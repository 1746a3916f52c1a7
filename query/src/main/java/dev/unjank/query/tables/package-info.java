/**
 * Tables of the trace model: Perfetto's tables (slice, thread_state, sched, ...) and the doctor's (unjank_incident,
 * ...).
 */
@NullMarked
package dev.unjank.query.tables;

import org.jspecify.annotations.NullMarked;
