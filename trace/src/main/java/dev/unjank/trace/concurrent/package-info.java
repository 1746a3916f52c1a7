/** Running parts of the work on an executor that the caller chooses. */
@NullMarked
package dev.unjank.trace.concurrent;

import org.jspecify.annotations.NullMarked;
