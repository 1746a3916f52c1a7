/**
 * PerfettoSQL for an engine that speaks another SQL. {@link dev.unjank.query.front.PerfettoSql} turns a text into steps.
 *
 * <p>The way of a statement: {@code Lexer} cuts it into tokens, {@code MacroExpander} replaces macro calls, {@code
 * StatementParser} (over {@code QueryParser} over {@code ExpressionParser}) makes a tree, {@code StatementTranslator} and
 * {@code QueryTranslator} write the tree as the engine's SQL. The translator resolves every name itself: it knows each column's
 * table and type. So SQLite's rules that depend on types or on which names exist (double-quoted strings, affinity, integer
 * division, truth) are decided before the engine sees anything, functions are put in the place of their calls without catching
 * foreign names, and a mistake is told in the user's own text.
 */
@NullMarked
package dev.unjank.query.front;

import org.jspecify.annotations.NullMarked;
