package dev.unjank.looper;

import dev.unjank.looper.queue.DeliveryLatency;
import dev.unjank.looper.task.QueuedTask;
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
 * The JFR events of loopers. Deliveries are observed only while a recording has their event enabled: starting such a
 * recording adds an observer to all loopers, and stopping it removes the observer.
 */
final class JfrEvents {
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private JfrEvents() {}

    /** Installs the events. Must be called once, before the first looper is created. */
    static void install() {
        if (PRESENT) {
            Link.install();
        }
    }

    /** Records a report of a watchdog. */
    static void stall(LooperStall stall) {
        if (PRESENT) {
            Link.stall(stall);
        }
    }

    /** Begins the event of a frame; returns null if no recording has the event enabled. */
    static @Nullable Object frameStarting() {
        return PRESENT ? Link.frameStarting() : null;
    }

    /** Ends the event of a frame, unless it is null. */
    static void frameFinished(
            @Nullable Object event, long number, long late, long period, boolean missed, long skipped) {
        if (event != null) {
            Link.frameFinished(event, number, late, period, missed, skipped);
        }
    }

    /** The part that needs the module jdk.jfr; separate classes, which are loaded only if that module is present. */
    private static final class Link implements FlightRecorderListener {
        private static final DispatchObserver OBSERVER = new DispatchObserver();

        static void install() {
            if (FlightRecorder.isAvailable()) {
                FlightRecorder.addListener(new Link());
                updateObserver(); // a recording may have been started together with the JVM
            }
        }

        @Override
        public void recordingStateChanged(Recording recording) {
            updateObserver();
        }

        private static synchronized void updateObserver() {
            // reading the type of an event would start the recorder
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

    /** The observer that creates an event for each delivery. Its notes are a {@link Sent}, and then the event. */
    private static final class DispatchObserver implements MessageObserver {
        /**
         * The sender and the time of sending of a message, and whether it was already due then: in that case its
         * latency is measured from the sending.
         */
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
            // read now, since the receiver may change the message
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
        // not recorded: the sources of the two fields below, resolved only if the event is committed
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
        @Description("The sending thread, if it was recorded then")
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
    @Description("A looper is stalled, or a stall has ended, as reported by a LooperWatchdog")
    @StackTrace(false)
    static final class StallEvent extends Event {
        @Label("Looper")
        @Nullable
        String looper;

        @Label("Kind")
        @Nullable
        String kind;

        @Label("Length")
        @Description("The duration so far, or in total if it is over, on the looper's clock")
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
        @Description("The number of the frame, counted by its clock")
        long number;

        @Name("wait")
        @Label("Wait")
        @Description("How late the frame began")
        @Timespan(Timespan.NANOSECONDS)
        long late;

        @Label("Period")
        @Description("From frame to frame; the deadline is one period after the frame was to begin")
        @Timespan(Timespan.NANOSECONDS)
        long period;

        @Label("Missed")
        @Description("The frame had not ended by its deadline")
        boolean missed;

        @Label("Skipped")
        @Description("How many frames were skipped because this one began late by whole periods")
        long skipped;
    }
}
