/** What a test looper drives its messages with: a clock that tests move, and a limit for endless tasks. Not exported. */
package dev.unjank.looper.manual;
