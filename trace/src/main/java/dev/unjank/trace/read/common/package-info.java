/**
 * Code that the readers of several formats share: clock conversion, the format of atrace marks, and counts of records
 * that were skipped or damaged.
 */
@NullMarked
package dev.unjank.trace.read.common;

import org.jspecify.annotations.NullMarked;
