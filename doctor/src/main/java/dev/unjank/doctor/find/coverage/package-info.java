/**
 * The end of each source's recording, and the recorder's notes on its sources and ring buffers. They end open waits and
 * become warnings.
 */
@NullMarked
package dev.unjank.doctor.find.coverage;

import org.jspecify.annotations.NullMarked;
