package dev.unjank.trace.read.jfr;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The deadlocks in a thread dump of HotSpot: the threads that wait for one another in a circle, as the JVM found them,
 * and those that wait for a lock of such a thread. Waits with a time limit end, so a circle with one of them is no
 * deadlock.
 */
final class ThreadDump {
    private static final String DEADLOCK = "Found one Java-level deadlock:";
    private static final String STACKS = "Java stack information for the threads listed above:";
    private static final String TIMED = "java.lang.Thread.State: TIMED_WAITING";

    private static final String NO_FILE = "Unknown Source";

    /** Longer lines are of no dump. */
    private static final int LONGEST_LINE = 8192;

    private static final String AFTER_NAME = "\" #";

    // Without nested or adjacent repetitions of the same characters: a line takes time in proportion to its length.
    private static final Pattern IDS =
            Pattern.compile("(\\d{1,18}) .*\\bnid=(?:0x([0-9a-fA-F]{1,15})|(\\d{1,18}))\\b.*");
    private static final Pattern FRAME = Pattern.compile("\\s++at (\\S+)\\((?:[^/()]*/)?([^()]*)\\)");
    private static final Pattern LOCK = Pattern.compile("\\s++- ([^<]*?) {1,2}<(0x[0-9a-f]++)> \\(an? (.*)\\)");
    private static final Pattern MEMBER = Pattern.compile("\"(.*)\":");
    private static final Pattern WANTED =
            Pattern.compile("\\s++waiting (?:to lock monitor|for ownable synchronizer) .*?(0x[0-9a-f]++), ?\\(?an? .*");

    private final List<Parsed> threads = new ArrayList<>();
    private final List<List<Parsed>> circles = new ArrayList<>();
    private final Map<Waiter, Parsed> waiters =
            new HashMap<>(); // complete before the first circle, which follows all threads

    private ThreadDump() {}

    /**
     * A thread that waits for a lock for ever.
     *
     * @param name its name
     * @param javaId its id in Java
     * @param osId its id in the operating system
     * @param isMonitor whether it waits for a monitor rather than for a lock of {@code java.util.concurrent}
     * @param lockClass the class of the lock
     * @param owner the Java id of the lock's owner, which waits for ever, too
     * @param ownerSite the owner's frame that took the monitor, as {@link JavaNames} writes it; null if unknown
     * @param stack its stack, a frame per line, the innermost first
     */
    record Blocked(
            String name,
            long javaId,
            long osId,
            boolean isMonitor,
            String lockClass,
            long owner,
            @Nullable String ownerSite,
            String stack) {}

    /** A thread's name and the address of the lock that it waits for. */
    private record Waiter(String name, String address) {}

    /** A thread of the dump. */
    private static final class Parsed {
        final String name;
        final long javaId;
        final long osId;
        final List<String> frames = new ArrayList<>();
        final Map<String, String> takenIn = new HashMap<>(); // frames by the address of the monitor
        boolean isTimed;

        @Nullable
        String released; // the monitor that the thread has released to wait for a signal

        boolean isMonitor;

        @Nullable
        String wanted;

        String wantedClass = "";

        private Parsed(String name, Matcher ids) {
            this.name = name;
            javaId = Long.parseLong(ids.group(1));
            osId = ids.group(2) == null ? Long.parseLong(ids.group(3)) : Long.parseLong(ids.group(2), 16);
        }

        /** {@return the thread that a line begins to describe, null if it does not; a name may contain anything} */
        static @Nullable Parsed of(String line) {
            int end = line.lastIndexOf(AFTER_NAME);
            if (end < 1 || line.charAt(0) != '"') {
                return null;
            }
            Matcher ids = IDS.matcher(line).region(end + AFTER_NAME.length(), line.length());
            return ids.matches() ? new Parsed(line.substring(1, end), ids) : null;
        }

        void add(String line) {
            Matcher frame = FRAME.matcher(line);
            Matcher lock = LOCK.matcher(line);
            isTimed |= line.contains(TIMED);
            if (frame.matches()) {
                frames.add(frame.group(1).replace('/', '.') + "()("
                        + frame.group(2).replace(NO_FILE, "") + ")");
            } else if (lock.matches()) {
                addLock(lock.group(1), lock.group(2), lock.group(3));
            }
        }

        private void addLock(String what, String address, String type) {
            switch (what) {
                case "waiting to lock", "parking to wait for", "waiting to re-lock in wait()" -> {
                    wanted = address;
                    wantedClass = type;
                    isMonitor = !what.startsWith("parking");
                }
                case "locked" -> takenIn.putIfAbsent(address, frames.isEmpty() ? "" : frames.getLast());
                case "waiting on" -> released = address;
                default -> {}
            }
        }
    }

    /** {@return the threads of a dump that wait for ever for locks; empty if it has no deadlock} */
    static List<Blocked> deadlocked(String text) {
        if (!text.contains(DEADLOCK)) {
            return List.of();
        }
        ThreadDump dump = new ThreadDump();
        dump.read(text);
        return dump.blocked();
    }

    private void read(String text) {
        Parsed thread = null;
        boolean isOfCircles = false;
        List<String> circle = new ArrayList<>();
        for (String line :
                text.lines().filter(line -> line.length() <= LONGEST_LINE).toList()) {
            if (line.equals(DEADLOCK)) {
                isOfCircles = true;
                circle.clear();
            } else if (isOfCircles && line.equals(STACKS)) {
                addCircle(circle);
                isOfCircles = false;
                thread = null;
            } else if (isOfCircles) {
                circle.add(line);
            } else {
                Parsed next = Parsed.of(line);
                if (next != null) {
                    thread = next;
                    threads.add(thread);
                } else if (line.isBlank()) {
                    thread = null; // what follows repeats stacks, or is of the JVM's own threads
                } else if (thread != null) {
                    thread.add(line);
                }
            }
        }
    }

    /**
     * Each member waits for a lock of the next one. Names may repeat, a name with a lock that is waited for does not.
     */
    private void addCircle(List<String> lines) {
        List<Parsed> members = new ArrayList<>();
        String name = null;
        for (String line : lines) {
            Matcher member = MEMBER.matcher(line);
            Matcher wanted = WANTED.matcher(line);
            if (member.matches()) {
                name = member.group(1);
            } else if (wanted.matches() && name != null) {
                Parsed thread = waiting(name, wanted.group(1));
                if (thread == null || thread.isTimed) {
                    return;
                }
                members.add(thread);
            }
        }
        if (members.size() > 1) {
            circles.add(members);
        }
    }

    private @Nullable Parsed waiting(String name, String address) {
        if (waiters.isEmpty()) {
            for (Parsed thread : threads) {
                if (thread.wanted != null) {
                    waiters.putIfAbsent(new Waiter(thread.name, thread.wanted), thread);
                }
            }
        }
        return waiters.get(new Waiter(name, address));
    }

    private List<Blocked> blocked() {
        Map<Parsed, Parsed> owners = new LinkedHashMap<>();
        Map<String, Parsed> byLock = monitorOwners();
        for (List<Parsed> circle : circles) {
            for (int i = 0; i < circle.size(); i++) {
                Parsed owner = circle.get((i + 1) % circle.size());
                owners.put(circle.get(i), owner);
                byLock.put(String.valueOf(circle.get(i).wanted), owner);
            }
        }
        addWaitersBehind(byLock, owners);
        return owners.entrySet().stream()
                .map(wait -> blocked(wait.getKey(), wait.getValue()))
                .toList();
    }

    /** The owners of monitors by address. */
    private Map<String, Parsed> monitorOwners() {
        Map<String, Parsed> owners = new HashMap<>();
        for (Parsed thread : threads) {
            for (String address : thread.takenIn.keySet()) {
                if (!address.equals(thread.wanted) && !address.equals(thread.released)) {
                    owners.put(address, thread);
                }
            }
        }
        return owners;
    }

    /** Adds the threads that wait for a lock of a thread that waits for ever, and those behind them. */
    private void addWaitersBehind(Map<String, Parsed> byLock, Map<Parsed, Parsed> owners) {
        Map<Parsed, List<Parsed>> behind = new HashMap<>();
        for (Parsed thread : threads) {
            Parsed owner = thread.wanted == null || thread.isTimed ? null : byLock.get(thread.wanted);
            if (owner != null) {
                behind.computeIfAbsent(owner, _ -> new ArrayList<>()).add(thread);
            }
        }
        Deque<Parsed> blocked = new ArrayDeque<>(owners.keySet());
        while (!blocked.isEmpty()) {
            Parsed owner = blocked.remove();
            for (Parsed thread : behind.getOrDefault(owner, List.of())) {
                if (owners.putIfAbsent(thread, owner) == null) {
                    blocked.add(thread);
                }
            }
        }
    }

    private static Blocked blocked(Parsed thread, Parsed owner) {
        return new Blocked(
                thread.name,
                thread.javaId,
                thread.osId,
                thread.isMonitor,
                thread.wantedClass,
                owner.javaId,
                thread.wanted == null ? null : owner.takenIn.get(thread.wanted),
                String.join("\n", thread.frames));
    }
}
