/** Placeholder. */
@NullMarked
package dev.unjank.cli;

import org.jspecify.annotations.NullMarked;
