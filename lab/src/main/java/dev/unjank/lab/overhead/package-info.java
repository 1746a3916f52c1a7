/** What recording costs the process that is recorded. */
@NullMarked
package dev.unjank.lab.overhead;

import org.jspecify.annotations.NullMarked;
