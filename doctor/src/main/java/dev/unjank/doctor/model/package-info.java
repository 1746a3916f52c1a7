/**
 * The records of a diagnosis: incidents, waits, their owners, verdicts, evidence, frames, startups, and the options of
 * the search. All are immutable. Users of the API, the reports and the module query read them.
 */
@NullMarked
package dev.unjank.doctor.model;

import org.jspecify.annotations.NullMarked;
