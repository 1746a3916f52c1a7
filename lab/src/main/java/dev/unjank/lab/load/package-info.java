/** What the programs of several experiments have to live beside. */
@NullMarked
package dev.unjank.lab.load;

import org.jspecify.annotations.NullMarked;
