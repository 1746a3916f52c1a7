/** Finds app startups, and the first frame and the process of each. */
@NullMarked
package dev.unjank.doctor.find.startup;

import org.jspecify.annotations.NullMarked;
