/**
 * How an experiment runs: its program in a JVM of its own, the recording, the diagnosis and the table that is printed.
 */
@NullMarked
package dev.unjank.workbench.lab.run;

import org.jspecify.annotations.NullMarked;
