/** Placeholder. */
@NullMarked
package dev.unjank.bench;

import org.jspecify.annotations.NullMarked;
