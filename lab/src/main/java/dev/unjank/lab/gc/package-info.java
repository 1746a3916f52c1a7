/** {@code gc-critical}: native code that holds an array of Java's for a second, and who has to wait for it. */
@NullMarked
package dev.unjank.lab.gc;

import org.jspecify.annotations.NullMarked;
