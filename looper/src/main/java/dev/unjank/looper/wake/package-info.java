/**
 * Chooses the waker of a looper, and puts a looper that watches channels to sleep in a selector. Not exported.
 */
package dev.unjank.looper.wake;
