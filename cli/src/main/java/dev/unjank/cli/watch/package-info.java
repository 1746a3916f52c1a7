/**
 * The screen of {@code unjank watch}: diagnoses the last seconds of a recording periodically, keeps the incidents of
 * the last minute and lays out the screen.
 */
@NullMarked
package dev.unjank.cli.watch;

import org.jspecify.annotations.NullMarked;
