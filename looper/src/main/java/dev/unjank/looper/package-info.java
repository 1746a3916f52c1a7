/** Placeholder. */
package dev.unjank.looper;
