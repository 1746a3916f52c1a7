/**
 * What runs in the programs that are experimented on. This package wants Java 17 only, so that an experiment can have its program
 * run in an older Java VM as well; all others of the module want 25.
 */
@NullMarked
package dev.unjank.lab.target;

import org.jspecify.annotations.NullMarked;
