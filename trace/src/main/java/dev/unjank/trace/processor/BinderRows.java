package dev.unjank.trace.processor;

import dev.unjank.trace.processor.SliceRows.ArgsOf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Slices of binder calls: the caller waits in "binder transaction", the server works in "binder reply". */
final class BinderRows {
    private static final int ONE_WAY = 0x01;
    private static final int ROOT_OBJECT = 0x04;
    private static final int STATUS_CODE = 0x08;
    private static final int ACCEPTS_FILES = 0x10;

    private static final int BC_TRANSACTION = 0x40406300;
    private static final int BC_REPLY = 0x40406301;
    private static final int BC_TRANSACTION_SG = 0x40486311;
    private static final int BC_REPLY_SG = 0x40486312;
    private static final int BR_TRANSACTION = 0x80407202;
    private static final int BR_TRANSACTION_SEC_CTX = 0x80487202;
    private static final int BR_REPLY = 0x80407203;
    private static final int BR_DEAD_REPLY = 0x7205;
    private static final int BR_TRANSACTION_COMPLETE = 0x7206;
    private static final int BR_FAILED_REPLY = 0x7211;
    private static final int BR_FROZEN_REPLY = 0x7212;
    private static final int BR_ONEWAY_SPAM_SUSPECT = 0x7213;
    private static final int BR_TRANSACTION_PENDING_FROZEN = 0x7214;

    /** How far a call of a thread is, by the last command or event. */
    private enum State {
        SEND_COMMAND,
        SENT,
        SEND_COMPLETE,
        REPLY_RECEIVED,
        RECEIVED,
        RECEIVE_RETURNED,
        REPLY_COMMAND,
        REPLIED
    }

    private static final class Call {
        State state;
        boolean known;
        boolean oneWay;
        boolean reply;

        Call(State state) {
            this.state = state;
        }
    }

    private record Sent(boolean reply, boolean oneWay, ArgsOf args, int track, int slice) {}

    private final ProcessorContext context;
    private final int category;
    private final int transaction;
    private final int async;
    private final int reply;
    private final int asyncReceive;
    private final Map<Long, Sent> sent = new HashMap<>();
    private final Map<Long, Deque<Call>> calls = new HashMap<>();

    BinderRows(ProcessorContext context) {
        this.context = context;
        category = context.intern("binder");
        transaction = context.intern("binder transaction");
        async = context.intern("binder transaction async");
        reply = context.intern("binder reply");
        asyncReceive = context.intern("binder async rcv");
    }

    /** The fields of a transaction event. */
    record Transaction(long id, long node, long process, long thread, boolean reply, long flags, long code) {}

    void transaction(long ts, long tid, Transaction event) {
        int utid = context.processes.thread(tid);
        int track = context.threadTrack(utid);
        String flags = "0x%02x %s".formatted(event.flags, describe(event.flags));
        String code = "0x%02x Java Layer Dependent".formatted(event.code);
        ArgsOf args = list -> list.integer("transaction id", event.id)
                .integer("destination node", event.node)
                .integer("destination process", event.process)
                .bool("reply transaction?", event.reply)
                .string("flags", flags)
                .string("code", code)
                .unsigned("calling tid", tid);
        boolean oneWay = (event.flags & ONE_WAY) != 0;
        int slice;
        if (event.reply) {
            int target = context.processes.thread(event.thread);
            long name = context.processes.nameOf(target);
            context.slices.addArgs(track, category, reply, list -> {
                list.integer("destination thread", event.thread);
                list.string("destination name", (int) Math.max(name, -1));
            });
            slice = context.slices.end(ts, track, -1, -1, args);
        } else if (oneWay) {
            slice = context.slices.complete(ts, track, category, async, 0, args);
        } else {
            slice = context.slices.begin(ts, track, category, transaction, args);
        }
        sent.put(event.id, new Sent(event.reply, oneWay, args, track, slice));
        advance(tid, oneWay, event.reply);
    }

    private static String describe(long flags) {
        StringBuilder text = new StringBuilder();
        append(text, flags & ONE_WAY, "this is a one-way call: async, no return; ");
        append(text, flags & ROOT_OBJECT, "contents are the components root object; ");
        append(text, flags & STATUS_CODE, "contents are a 32-bit status code; ");
        append(text, flags & ACCEPTS_FILES, "allow replies with file descriptors; ");
        return flags == 0 ? "No Flags Set" : text.toString();
    }

    private static void append(StringBuilder text, long flag, String meaning) {
        if (flag != 0) {
            text.append(meaning);
        }
    }

    private void advance(long tid, boolean oneWay, boolean isReply) {
        Call call = top(tid);
        if (call == null) {
            return;
        }
        switch (call.state) {
            case SEND_COMMAND -> note(call, State.SENT, oneWay, isReply);
            case REPLY_COMMAND -> note(call, State.REPLIED, oneWay, isReply);
            case RECEIVED -> pop(tid); // commands are not recorded
            default -> {}
        }
    }

    private static void note(Call call, State state, boolean oneWay, boolean isReply) {
        call.state = state;
        call.known = true;
        call.oneWay = oneWay;
        call.reply = isReply;
    }

    void received(long ts, long tid, long id) {
        Sent call = sent.remove(id);
        if (call == null) {
            return;
        }
        int utid = context.processes.thread(tid);
        int track = context.threadTrack(utid);
        if (!call.oneWay && !call.reply) {
            Call frame = push(tid, State.RECEIVED);
            note(frame, State.RECEIVED, false, false);
        } else if (!call.oneWay) {
            Call frame = top(tid);
            if (frame != null && frame.state == State.SEND_COMPLETE) {
                frame.state = State.REPLY_RECEIVED;
            }
        }
        if (call.reply) {
            context.slices.end(ts, track, -1, -1, SliceRows.NO_ARGS);
            return;
        }
        int slice;
        if (call.oneWay) {
            slice = context.slices.complete(ts, track, category, asyncReceive, 0, call.args);
        } else {
            long name = context.processes.nameOf(utid);
            context.slices.addArgs(call.track, category, transaction, list -> {
                list.unsigned("destination thread", tid);
                list.string("destination name", (int) Math.max(name, -1));
            });
            slice = context.slices.begin(ts, track, category, reply, SliceRows.NO_ARGS);
        }
        if (call.slice >= 0 && slice >= 0) {
            context.flow(call.slice, slice, ProcessorTable.NULL);
        }
    }

    void allocated(long tid, long dataSize, long offsetsSize) {
        int utid = context.processes.thread(tid);
        int track = context.threadTrack(utid);
        context.slices.addArgs(
                track,
                category,
                transaction,
                list -> list.unsigned("data size", dataSize).unsigned("offsets size", offsetsSize));
    }

    void command(long tid, int command) {
        switch (command) {
            case BC_TRANSACTION, BC_TRANSACTION_SG -> push(tid, State.SEND_COMMAND);
            case BC_REPLY, BC_REPLY_SG -> {
                Call call = top(tid);
                if (call != null && call.state == State.RECEIVE_RETURNED) {
                    call.state = State.REPLY_COMMAND;
                }
            }
            default -> {}
        }
    }

    void returned(long ts, long tid, int command) {
        Call call = top(tid);
        if (call == null) {
            return;
        }
        switch (command) {
            case BR_DEAD_REPLY, BR_FAILED_REPLY, BR_FROZEN_REPLY, BR_TRANSACTION_PENDING_FROZEN ->
                failed(ts, tid, call);
            case BR_TRANSACTION_COMPLETE, BR_ONEWAY_SPAM_SUSPECT -> {
                if (call.state == State.SENT && call.known && !call.oneWay) {
                    call.state = State.SEND_COMPLETE;
                } else if (call.state == State.SENT
                        || call.state == State.REPLIED
                        || call.state == State.SEND_COMMAND) {
                    pop(tid);
                }
            }
            case BR_REPLY -> {
                if (call.state == State.REPLY_RECEIVED) {
                    pop(tid);
                }
            }
            case BR_TRANSACTION, BR_TRANSACTION_SEC_CTX -> {
                if (call.state == State.RECEIVED) {
                    call.state = State.RECEIVE_RETURNED;
                }
            }
            default -> {}
        }
    }

    private void failed(long ts, long tid, Call call) {
        switch (call.state) {
            case SEND_COMMAND -> pop(tid);
            case REPLY_COMMAND, SENT, REPLIED, SEND_COMPLETE -> {
                if (call.known && !call.oneWay && !call.reply) {
                    int track = context.threadTrack(context.processes.thread(tid));
                    context.slices.end(ts, track, -1, -1, SliceRows.NO_ARGS);
                }
                pop(tid);
            }
            default -> {}
        }
    }

    private @Nullable Call top(long tid) {
        Deque<Call> stack = calls.get(tid);
        return stack == null ? null : stack.peek();
    }

    private Call push(long tid, State state) {
        Call call = new Call(state);
        calls.computeIfAbsent(tid, _ -> new ArrayDeque<>()).push(call);
        return call;
    }

    private void pop(long tid) {
        Deque<Call> stack = calls.get(tid);
        if (stack != null) {
            stack.poll();
        }
    }
}
