/**
 * Writes a diagnosis as text for a terminal: layout, wrapping, colours. The sentences come from the catalogue.
 */
@NullMarked
package dev.unjank.doctor.report.text;

import org.jspecify.annotations.NullMarked;
