/**
 * Perfetto's standard library: one .sql file per module, in folders that mirror the modules' names
 * (android/monitor_contention.sql is android.monitor_contention), and the list of names that are not supported.
 */
@NullMarked
package dev.unjank.query.module;

import org.jspecify.annotations.NullMarked;
