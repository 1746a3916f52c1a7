/**
 * Waits that a Java virtual machine records with a stack: resources, results, sleeps, I/O, pinned virtual threads; and
 * which are idle.
 */
@NullMarked
package dev.unjank.doctor.find.runtime;

import org.jspecify.annotations.NullMarked;
