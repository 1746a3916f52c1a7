/**
 * The command {@code unjank}.
 *
 * <p>{@link dev.unjank.cli.Unjank} is its main class; its subcommands are in {@code command}.
 */
@NullMarked
package dev.unjank.cli;

import org.jspecify.annotations.NullMarked;
