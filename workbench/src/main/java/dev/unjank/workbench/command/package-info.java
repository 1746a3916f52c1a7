/**
 * The subcommands {@code bench}, {@code lab} and {@code verify} with their options.
 */
@NullMarked
package dev.unjank.workbench.command;

import org.jspecify.annotations.NullMarked;
