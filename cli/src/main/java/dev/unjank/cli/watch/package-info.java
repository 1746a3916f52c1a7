/** What {@code unjank watch} shows: incidents as they end, and the screen of a process that is being watched. */
@NullMarked
package dev.unjank.cli.watch;

import org.jspecify.annotations.NullMarked;
