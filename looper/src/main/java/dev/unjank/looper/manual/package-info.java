/** Helpers of test loopers: a clock that tests advance, and a limit for endless tasks. Not exported. */
package dev.unjank.looper.manual;
