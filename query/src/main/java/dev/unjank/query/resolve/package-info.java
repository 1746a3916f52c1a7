/**
 * Syntax trees to typed trees: finds what each name stands for, decides types by SQLite's rules, and lists the steps
 * for the engine. PerfettoSqlTranslator is its entry; it never calls the engine.
 */
@NullMarked
package dev.unjank.query.resolve;

import org.jspecify.annotations.NullMarked;
