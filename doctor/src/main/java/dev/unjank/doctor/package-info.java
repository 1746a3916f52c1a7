/** Placeholder. */
@NullMarked
package dev.unjank.doctor;

import org.jspecify.annotations.NullMarked;
