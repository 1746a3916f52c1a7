/** What the recorder asks of Linux that Java has no method for: the C library's calls, {@code /proc} and the clocks. */
@NullMarked
package dev.unjank.record.linux;

import org.jspecify.annotations.NullMarked;
