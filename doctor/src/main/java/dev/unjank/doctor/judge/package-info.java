/**
 * Decides: builds the blame tree of each wait, applies the verdict rules, finds convoys, assigns costs to frames, and
 * chooses the incidents and the main finding of a report.
 */
@NullMarked
package dev.unjank.doctor.judge;

import org.jspecify.annotations.NullMarked;
