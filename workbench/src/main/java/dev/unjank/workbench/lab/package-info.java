/**
 * {@code unjank lab}: experiments that record and diagnose a known problem and its fix.
 *
 * <p>{@link dev.unjank.workbench.lab.Experiments} lists them.
 */
@NullMarked
package dev.unjank.workbench.lab;

import org.jspecify.annotations.NullMarked;
