/**
 * What a looper can be given: a clock and a waker, and the service interface by which other modules offer wakers (looper-
 * linux: a futex). Exported; most programs need none of it.
 */
package dev.unjank.looper.spi;
