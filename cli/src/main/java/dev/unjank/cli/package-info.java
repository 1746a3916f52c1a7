/**
 * The command {@code unjank}: what the user types, what it prints, and how it fails.
 *
 * <p>{@link dev.unjank.cli.Unjank} is the entrance. Each subcommand is a class of its own that only translates between the
 * command line and the module that does the work; a subcommand that was not asked for is never loaded.
 */
@NullMarked
package dev.unjank.cli;

import org.jspecify.annotations.NullMarked;
