/**
 * Reads systrace text, line by line, as plain text, as an HTML page, or as {@code atrace -z} writes it.
 */
@NullMarked
package dev.unjank.trace.read.systrace;

import org.jspecify.annotations.NullMarked;
