/**
 * The bytes of a Flight Recorder recording: chunks, type metadata, constant pools and field values. Knows no particular
 * event.
 */
@NullMarked
package dev.unjank.trace.read.jfr.format;

import org.jspecify.annotations.NullMarked;
