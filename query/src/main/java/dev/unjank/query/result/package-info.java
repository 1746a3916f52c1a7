/**
 * What a statement returns: rows, or a QueryException with the place of the error; writers for CSV, JSON and text tables.
 * Used by all of this module and its callers.
 */
@NullMarked
package dev.unjank.query.result;

import org.jspecify.annotations.NullMarked;
