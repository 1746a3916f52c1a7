/** Threads of the recorder's own: {@link dev.unjank.record.thread.Rounds}. */
@NullMarked
package dev.unjank.record.thread;

import org.jspecify.annotations.NullMarked;
