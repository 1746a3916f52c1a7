/**
 * SQL over one trace: a {@link dev.unjank.query.QuerySession} runs PerfettoSQL statements on an {@link
 * dev.unjank.query.Engine} and loads tables of the trace when a statement names them. Used by cli and fleet.
 */
@NullMarked
package dev.unjank.query;

import org.jspecify.annotations.NullMarked;
