/** The choice of a looper's waker, and the waker of loopers that watch channels. Not exported. */
package dev.unjank.looper.wake;
