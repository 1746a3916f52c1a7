/** Results of statements: rows, failures with their position, and writers for CSV, JSON and text tables. */
@NullMarked
package dev.unjank.query.result;

import org.jspecify.annotations.NullMarked;
