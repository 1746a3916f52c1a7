/** Formats text for output: strings made safe for a terminal, and counts in English. Used by all modules that print. */
@NullMarked
package dev.unjank.trace.text;

import org.jspecify.annotations.NullMarked;
