package dev.unjank.doctor.model;

import org.jspecify.annotations.Nullable;

/**
 * What a looper had to do before it came to a message that waited.
 *
 * @param messages how many messages it ran in that time
 * @param ranNs how long they ran, in ns
 * @param sender who sent most of them; null if the trace does not tell senders
 * @param messagesFromSender how many of them that thread sent
 * @param what the messages that took most of the time, as the looper names them
 */
public record QueueBacklog(
        int messages, long ranNs, @Nullable ThreadRef sender, int messagesFromSender, String what) {
    /**
     * {@return the thread that sent at least half of the messages; null if nobody did or the trace does not tell}
     */
    public @Nullable ThreadRef mainSender() {
        return 2 * messagesFromSender >= messages ? sender : null;
    }
}
