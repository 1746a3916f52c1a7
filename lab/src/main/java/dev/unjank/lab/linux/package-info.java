/** What experiments need of the C library of Linux: its mutexes, and a device that takes its time. */
@NullMarked
package dev.unjank.lab.linux;

import org.jspecify.annotations.NullMarked;
