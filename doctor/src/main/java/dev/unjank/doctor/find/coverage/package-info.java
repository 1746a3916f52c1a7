/**
 * Until when each source of the trace has recorded, and what the recorder noted about its sources and ring buffers. Used to
 * end open waits and to warn.
 */
@NullMarked
package dev.unjank.doctor.find.coverage;

import org.jspecify.annotations.NullMarked;
