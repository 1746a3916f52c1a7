/** Message loops: a {@link dev.unjank.looper.Looper} runs what {@link dev.unjank.looper.Handler}s send to it. */
package dev.unjank.looper;
