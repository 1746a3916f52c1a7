/**
 * The message catalogue: every sentence and label of all reports, made of a diagnosis. The text, JSON and HTML reports use
 * it; so do the module query and the command {@code watch}.
 */
@NullMarked
package dev.unjank.doctor.report;

import org.jspecify.annotations.NullMarked;
