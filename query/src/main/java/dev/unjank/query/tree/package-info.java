/**
 * The trees of a statement: syntax as parsed (Statement, Query, Expr), and with types after names are resolved (TypedExpr,
 * TypedQuery).
 */
@NullMarked
package dev.unjank.query.tree;

import org.jspecify.annotations.NullMarked;
