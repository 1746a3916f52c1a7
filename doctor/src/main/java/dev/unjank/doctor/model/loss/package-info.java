/** Lost events: the gaps in a trace, and how much of a wait they cover. */
@NullMarked
package dev.unjank.doctor.model.loss;

import org.jspecify.annotations.NullMarked;
