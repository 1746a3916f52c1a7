/**
 * Preparation for a fast start, which the launcher script runs once after a build: it unpacks DuckDB's native library,
 * upgrades old class files, and trains the JVM's AOT cache.
 */
@NullMarked
package dev.unjank.cli.install;

import org.jspecify.annotations.NullMarked;
