/** Tasks that travel in messages: how they learn of their message's end, and how threads wait for them. Not exported. */
package dev.unjank.looper.task;
