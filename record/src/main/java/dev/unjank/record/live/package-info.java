/** Live observation of a running process: the last seconds of a recording, and current waits and CPU usage. */
@NullMarked
package dev.unjank.record.live;

import org.jspecify.annotations.NullMarked;
