/**
 * PerfettoSQL text to a syntax tree: lexer, macro expansion and parsers by recursive descent.
 */
@NullMarked
package dev.unjank.query.parse;

import org.jspecify.annotations.NullMarked;
