/**
 * {@code unjank demo}: runs a UI loop under load with each queue and prints a comparison.
 *
 * <p>The load is in {@code load}.
 */
@NullMarked
package dev.unjank.cli.demo;

import org.jspecify.annotations.NullMarked;
