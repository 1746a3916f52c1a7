/**
 * The subcommands of {@code unjank}, one class each, with their options and argument converters.
 *
 * <p>{@link dev.unjank.cli.command.Subcommand} lists them; {@link dev.unjank.cli.command.RootCommand} parses the
 * command line and reports failures. The workbench's commands use {@link dev.unjank.cli.command.RootCommand}, too.
 */
@NullMarked
package dev.unjank.cli.command;

import org.jspecify.annotations.NullMarked;
