/** Temporary files that a later run deletes if their process was killed. */
@NullMarked
package dev.unjank.trace.temporary;

import org.jspecify.annotations.NullMarked;
