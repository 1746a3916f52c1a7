/**
 * The message catalogue: every sentence and label of all reports, made of a diagnosis. The text, JSON and HTML reports
 * use it; {@link dev.unjank.doctor.ReportMessages} has the phrases that other modules use.
 */
@NullMarked
package dev.unjank.doctor.report;

import org.jspecify.annotations.NullMarked;
