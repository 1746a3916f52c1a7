/** Linux interfaces without a JDK API: calls of the C library, {@code /proc}, ELF files and the clocks. */
@NullMarked
package dev.unjank.record.linux;

import org.jspecify.annotations.NullMarked;
