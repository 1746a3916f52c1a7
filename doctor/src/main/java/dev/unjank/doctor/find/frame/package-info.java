/**
 * Finds frames, app startups, and what a program worked on in a missed frame.
 */
@NullMarked
package dev.unjank.doctor.find.frame;

import org.jspecify.annotations.NullMarked;
