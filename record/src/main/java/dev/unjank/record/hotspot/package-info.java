/**
 * Reads the memory of a running HotSpot JVM from outside, without stopping it or running code in it. The JVM's library
 * describes the memory layout for debuggers. The memory changes while it is read, so every value is checked.
 */
@NullMarked
package dev.unjank.record.hotspot;

import org.jspecify.annotations.NullMarked;
