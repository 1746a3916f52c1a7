/**
 * Waits for messages: binder replies, and messages that wait in a looper's queue.
 */
@NullMarked
package dev.unjank.doctor.find.message;

import org.jspecify.annotations.NullMarked;
