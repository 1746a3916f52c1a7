/**
 * Experiments that are programs: each shows a fault and the same without it, is recorded while it runs and diagnosed, and prints
 * a table beside what is published about it. {@link dev.unjank.lab.Experiments} lists them; {@code overhead} measures what
 * recording costs.
 */
@NullMarked
package dev.unjank.lab;

import org.jspecify.annotations.NullMarked;
