/**
 * The programs under experiment and their helpers.
 *
 * <p>This package is compiled for Java 17, so that they run in older JVMs as well.
 */
@NullMarked
package dev.unjank.workbench.lab.program;

import org.jspecify.annotations.NullMarked;
