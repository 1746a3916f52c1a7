/** How fast traces are read, diagnosed and queried, and in how much memory. */
@NullMarked
package dev.unjank.bench.doctor;

import org.jspecify.annotations.NullMarked;
