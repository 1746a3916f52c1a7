/**
 * The trees of a statement, on its way from text to the engine:
 *
 * <pre>
 * text → parse → Statement, Query, Expr      PerfettoSQL as parsed, each node with its token
 *      → resolve → TypedExpr, TypedQuery     names found and types decided; function translates calls
 *                  Sql, SqlQuery             the nodes of these: DuckDB's SQL, with the tokens they come from
 *      → print → PrintedSql                  DuckDbPrinter's text, with the token of each offset
 * </pre>
 */
@NullMarked
package dev.unjank.query.tree;

import org.jspecify.annotations.NullMarked;
