/**
 * The service interfaces of a looper: its clock, its waker, and the providers through which other modules offer wakers
 * (looper-linux: a futex). Exported; most programs need none of it.
 */
package dev.unjank.looper.spi;
