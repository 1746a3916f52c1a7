/**
 * The text of statements: tokens, positions in the text, errors with line and column, and suggestions for misspelt
 * names.
 */
@NullMarked
package dev.unjank.query.source;

import org.jspecify.annotations.NullMarked;
