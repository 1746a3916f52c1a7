/**
 * Helpers without dependencies on loopers: the Nullable annotation of this module, durations, their recording, and
 * uncaught exceptions. Not exported.
 */
package dev.unjank.looper.util;
