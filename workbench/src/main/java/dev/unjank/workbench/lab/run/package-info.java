/**
 * The run of an experiment: its program in a JVM of its own, the recording, the diagnosis and the table that is
 * printed.
 */
@NullMarked
package dev.unjank.workbench.lab.run;

import org.jspecify.annotations.NullMarked;
