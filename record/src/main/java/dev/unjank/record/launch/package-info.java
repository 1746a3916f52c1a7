/** Starts a program and holds it until its recorder is ready. */
@NullMarked
package dev.unjank.record.launch;

import org.jspecify.annotations.NullMarked;
