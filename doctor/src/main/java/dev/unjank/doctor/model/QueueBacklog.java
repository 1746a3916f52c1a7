package dev.unjank.doctor.model;

import org.jspecify.annotations.Nullable;

/**
 * The messages that a looper ran while another message was due and waited.
 *
 * @param messages number of messages
 * @param ranNs their run time, ns
 * @param sender the sender of most of them; null if no sender was recorded
 * @param messagesFromSender number of messages from {@code sender}
 * @param what the name of the messages that took most of the time
 */
public record QueueBacklog(
        int messages, long ranNs, @Nullable ThreadRef sender, int messagesFromSender, String what) {
    /** {@return the thread that sent at least half of the messages; null if there is none or no sender was recorded} */
    public @Nullable ThreadRef mainSender() {
        return 2 * messagesFromSender >= messages ? sender : null;
    }
}
