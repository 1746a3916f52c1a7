/**
 * Tasks that are carried by messages, with their notification of the message's end, and threads' waits for them. Not
 * exported.
 */
package dev.unjank.looper.task;
