/**
 * Text for people: strings made safe to print on a terminal, and counts in English. Used by all modules that print.
 */
@NullMarked
package dev.unjank.trace.text;

import org.jspecify.annotations.NullMarked;
