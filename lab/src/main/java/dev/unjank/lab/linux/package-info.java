/** What an experiment needs of Linux: where and how threads are scheduled, and mutexes of the C library. */
@NullMarked
package dev.unjank.lab.linux;

import org.jspecify.annotations.NullMarked;
