/**
 * How things of the recorder's begin, go on and end: {@link dev.unjank.record.thread.Start}, {@link dev.unjank.record.thread.Rounds},
 * {@link dev.unjank.record.thread.Ending}.
 */
@NullMarked
package dev.unjank.record.thread;

import org.jspecify.annotations.NullMarked;
