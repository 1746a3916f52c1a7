/**
 * Service interfaces of loopers: the clock, the waker, and the providers through which other modules offer wakers
 * (looper-linux: a futex). Exported, but most programs do not need this package.
 */
package dev.unjank.looper.spi;
