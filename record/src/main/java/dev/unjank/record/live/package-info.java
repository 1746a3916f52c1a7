/** Watching a process while it runs: the last seconds of a recording, and what is going on now. */
@NullMarked
package dev.unjank.record.live;

import org.jspecify.annotations.NullMarked;
