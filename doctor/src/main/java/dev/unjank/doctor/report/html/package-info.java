/**
 * Writes a diagnosis as one self-contained HTML page with a drawn timeline per incident. The scripts lie beside the
 * classes as resources. (Keep today's list of scripts.)
 */
@NullMarked
package dev.unjank.doctor.report.html;

import org.jspecify.annotations.NullMarked;
