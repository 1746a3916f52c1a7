/**
 * What the launcher script runs once after a build so that the command starts fast: it unpacks DuckDB's native library,
 * upgrades old class files, and trains the JVM's AOT cache.
 */
@NullMarked
package dev.unjank.cli.install;

import org.jspecify.annotations.NullMarked;
