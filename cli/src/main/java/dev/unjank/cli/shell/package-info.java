/**
 * The interactive SQL shell of {@code unjank query}: reads and completes statements, runs dot commands, and shows the
 * position of errors.
 */
@NullMarked
package dev.unjank.cli.shell;

import org.jspecify.annotations.NullMarked;
