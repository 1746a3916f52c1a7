package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * The loopers' events in recordings of the JDK's Flight Recorder, where there is one. As long as no recording wants the
 * deliveries, nobody observes them: a recording that starts with them switched on puts an observer on all loopers, and
 * takes it off when it stops.
 */
final class JfrEvents {
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private JfrEvents() {}

    /** To be called once, before the first looper is made. */
    static void install() {
        if (PRESENT) {
            Link.install();
        }
    }

    /** Records what a watchdog reports. */
    static void stall(LooperStall stall) {
        if (PRESENT) {
            Link.stall(stall);
        }
    }

    /** Begins the event of a frame; null if nobody records it. */
    static @Nullable Object frameStarting() {
        return PRESENT ? Link.frameStarting() : null;
    }

    /** Ends the event of a frame, if there is one. */
    static void frameFinished(
            @Nullable Object event, long number, long late, long period, boolean missed, long skipped) {
        if (event != null) {
            Link.frameFinished(event, number, late, period, missed, skipped);
        }
    }

    /** All that needs the module jdk.jfr is in classes of their own, loaded only where there is one. */
    private static final class Link implements FlightRecorderListener {
        private static final DispatchObserver OBSERVER = new DispatchObserver();

        static void install() {
            if (FlightRecorder.isAvailable()) {
                FlightRecorder.addListener(new Link());
                adapt(); // a recording may have been started with the virtual machine
            }
        }

        @Override
        public void recordingStateChanged(Recording recording) {
            adapt();
        }

        private static synchronized void adapt() {
            // asking for the type of an event would start the recorder
            if (FlightRecorder.isInitialized()
                    && EventType.getEventType(DispatchEvent.class).isEnabled()) {
                GlobalObservers.addObserver(OBSERVER);
            } else {
                GlobalObservers.removeObserver(OBSERVER);
            }
        }

        static void stall(LooperStall stall) {
            StallEvent event = new StallEvent();
            if (event.isEnabled()) {
                event.looper = MessageDescription.name(stall.looper().getThread());
                event.kind = stall.kind().name();
                event.length = stall.nanos();
                event.over = stall.over();
                event.report = stall.toString();
                event.commit();
            }
        }

        static @Nullable Object frameStarting() {
            FrameEvent event = new FrameEvent();
            if (!event.isEnabled()) {
                return null;
            }
            event.begin();
            return event;
        }

        static void frameFinished(Object started, long number, long late, long period, boolean missed, long skipped) {
            FrameEvent event = (FrameEvent) started;
            event.end();
            if (event.shouldCommit()) {
                event.number = number;
                event.late = late;
                event.period = period;
                event.missed = missed;
                event.skipped = skipped;
                event.commit();
            }
        }
    }

    /** Makes an event of each delivery. Its notes are how messages were sent, and then the event. */
    private static final class DispatchObserver implements MessageObserver {
        /** Who sent a message when, and whether it was due then, from when on its lateness counts. */
        private record Sent(Thread sender, long nanos, boolean isDue) {}

        @Override
        public @Nullable Object sending(Message message) {
            Handler target = message.target;
            if (target == null) {
                return null;
            }
            long now = target.queue.clock.nanos();
            return new Sent(Thread.currentThread(), now, DeliveryLatency.isDue(now, message));
        }

        @Override
        public @Nullable Object starting(Message message, @Nullable Object note) {
            Handler target = message.target;
            DispatchEvent event = new DispatchEvent();
            if (target == null || !event.isEnabled()) {
                return null;
            }
            // now: who receives the message may change it
            event.target = target;
            event.run = message.callback;
            event.what = message.what;
            long now = target.queue.clock.nanos();
            Sent sent = note instanceof Sent known ? known : null;
            if (sent != null) {
                event.sender = sent.sender;
                event.sent = now - sent.nanos;
            }
            event.late = Math.max(0, sent != null && sent.isDue ? event.sent : DeliveryLatency.at(now, message, null));
            event.begin();
            return event;
        }

        @Override
        public void finished(Message message, @Nullable Object note, @Nullable Throwable thrown) {
            if (note instanceof DispatchEvent event) {
                event.end();
                if (event.shouldCommit()) {
                    event.handler = String.valueOf(event.target);
                    Class<?> task = QueuedTask.classOf(event.run);
                    event.callback = task == null ? null : task.getName();
                    event.commit();
                }
            }
        }
    }

    @Name("dev.unjank.MessageDispatch")
    @Label("Message Dispatch")
    @Category({"unjank", "Looper"})
    @Description("A message is delivered by a looper; the duration is that of the delivery")
    @Enabled(false)
    @StackTrace(false)
    static final class DispatchEvent extends Event {
        // not recorded: what the two below are made of, should it come to that
        transient @Nullable Handler target;
        transient @Nullable Runnable run;

        @Label("Handler")
        @Nullable
        String handler;

        @Label("Callback")
        @Description("The class of the Runnable or of the submitted task, if the message has one")
        @Nullable
        String callback;

        @Label("What")
        int what;

        @Name("wait")
        @Label("Wait")
        @Description("How late the delivery began, on the looper's clock")
        @Timespan(Timespan.NANOSECONDS)
        long late;

        @Label("Sender")
        @Description("Who sent it, if it was recorded then")
        @Nullable
        Thread sender;

        @Label("Sent")
        @Description("How long before the delivery it was sent, on the looper's clock")
        @Timespan(Timespan.NANOSECONDS)
        long sent;
    }

    @Name("dev.unjank.Stall")
    @Label("Looper Stall")
    @Category({"unjank", "Looper"})
    @Description("A looper does not get on, or gets on again, as a LooperWatchdog has reported")
    @StackTrace(false)
    static final class StallEvent extends Event {
        @Label("Looper")
        @Nullable
        String looper;

        @Label("Kind")
        @Nullable
        String kind;

        @Label("Length")
        @Description("For how long so far, or in all if it is over, on the looper's clock")
        @Timespan(Timespan.NANOSECONDS)
        long length;

        @Label("Over")
        boolean over;

        @Label("Report")
        @Nullable
        String report;
    }

    @Name("dev.unjank.Frame")
    @Label("Frame")
    @Category({"unjank", "Looper"})
    @Description("A frame of a FrameClock; the duration is that of its callbacks")
    @StackTrace(false)
    static final class FrameEvent extends Event {
        @Label("Number")
        @Description("Which frame it was to be, counted by its clock")
        long number;

        @Name("wait")
        @Label("Wait")
        @Description("How long after the frame was to begin it began")
        @Timespan(Timespan.NANOSECONDS)
        long late;

        @Label("Period")
        @Description("From frame to frame; the deadline is one period after the frame was to begin")
        @Timespan(Timespan.NANOSECONDS)
        long period;

        @Label("Missed")
        @Description("It had not ended by its deadline")
        boolean missed;

        @Label("SkippedRecords")
        @Description("How many frames were passed over because it began late by whole periods")
        long skipped;
    }
}
