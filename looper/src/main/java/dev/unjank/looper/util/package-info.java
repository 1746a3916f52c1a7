/**
 * What does not know loopers: the Nullable annotation of this module, which has no dependency, durations, their recording, and uncaught
 * exceptions. Not exported.
 */
package dev.unjank.looper.util;
