/**
 * {@code unjank lab}: experiments that show a fault and its fix, recorded and diagnosed.
 *
 * <p>{@link dev.unjank.workbench.lab.Experiments} lists them.
 */
@NullMarked
package dev.unjank.workbench.lab;

import org.jspecify.annotations.NullMarked;
