/** {@code launcher-jank}: a UI thread, a low-priority executor that posts to its queue, and a camera. */
@NullMarked
package dev.unjank.lab.launcher;

import org.jspecify.annotations.NullMarked;
