/**
 * The report of a fleet, as text and as an HTML page.
 */
@NullMarked
package dev.unjank.fleet.report;

import org.jspecify.annotations.NullMarked;
