/**
 * Load and scheduling privileges that several experiments share.
 */
@NullMarked
package dev.unjank.workbench.lab.load;

import org.jspecify.annotations.NullMarked;
