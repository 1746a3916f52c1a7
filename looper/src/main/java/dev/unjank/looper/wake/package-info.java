/**
 * How a sleeping looper is chosen a waker and sleeps in a selector while it watches channels. Not exported.
 */
package dev.unjank.looper.wake;
