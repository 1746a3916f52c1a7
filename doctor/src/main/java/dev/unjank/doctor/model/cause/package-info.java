/** Root causes: the waits of a diagnosis, grouped by what is to change. */
@NullMarked
package dev.unjank.doctor.model.cause;

import org.jspecify.annotations.NullMarked;
