/**
 * Standard output, standard error and the screen: width and colours, progress, Ctrl-C, exit codes, errors in one line.
 *
 * <p>Used by all other packages of the command, and by the workbench.
 */
@NullMarked
package dev.unjank.cli.terminal;

import org.jspecify.annotations.NullMarked;
