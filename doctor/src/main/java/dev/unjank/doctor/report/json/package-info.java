/**
 * Writes a diagnosis as JSON, as docs/reference/doctor.schema.json describes it.
 */
@NullMarked
package dev.unjank.doctor.report.json;

import org.jspecify.annotations.NullMarked;
