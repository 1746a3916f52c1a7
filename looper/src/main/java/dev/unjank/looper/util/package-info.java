/**
 * The Nullable annotation of this module, which has no dependency, and the formatting of durations. Not exported.
 */
package dev.unjank.looper.util;
