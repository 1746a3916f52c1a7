/** Placeholder. */
@NullMarked
package dev.unjank.trace;

import org.jspecify.annotations.NullMarked;
