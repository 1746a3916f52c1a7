/** How things of the recorder's go on, and how they end: {@link dev.unjank.record.thread.Rounds}, {@link dev.unjank.record.thread.Ending}. */
@NullMarked
package dev.unjank.record.thread;

import org.jspecify.annotations.NullMarked;
