/**
 * The interactive SQL shell of {@code unjank query}: reading and completing statements, dot commands, showing where a
 * mistake is.
 */
@NullMarked
package dev.unjank.cli.shell;

import org.jspecify.annotations.NullMarked;
