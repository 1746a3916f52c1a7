/**
 * Sources of bytes for the readers: mapped files, streams, and compressed data with a limit on what comes out of it.
 */
@NullMarked
package dev.unjank.trace.read.input;

import org.jspecify.annotations.NullMarked;
