/**
 * Reads the memory of a running HotSpot virtual machine from outside, without stopping it or running anything in it. The machine's
 * library describes where what is in there, for debuggers; what is read meanwhile changes, so everything is doubted.
 */
@NullMarked
package dev.unjank.record.hotspot;

import org.jspecify.annotations.NullMarked;
