/**
 * Functions of the C library that experiments call: pthread mutexes and timerfd.
 */
@NullMarked
package dev.unjank.workbench.lab.clib;

import org.jspecify.annotations.NullMarked;
