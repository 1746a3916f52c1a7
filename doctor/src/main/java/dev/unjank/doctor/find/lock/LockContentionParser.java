package dev.unjank.doctor.find.lock;

import dev.unjank.doctor.find.code.CodeLocationParser;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.doctor.model.Wait;
import org.jspecify.annotations.Nullable;

/**
 * Parses the names of the lock contention slices that Android's runtime, its C library and recorders of Java programs
 * write.
 *
 * <pre>
 * monitor contention with owner NAME (N)[ at METHOD(LOCATION)] waiters=K[ lock=CLASS][ blocking from METHOD(LOCATION)]
 * Lock contention on LOCK (owner tid: N)
 * Contending for pthread mutex
 * parking on CLASS (owner tid: N)[ blocking from METHOD(LOCATION)]
 * </pre>
 *
 * <p>Only recorders of Java programs write the class of a monitor and the fourth form. Our recorder now writes the
 * class as an argument of the slice. A thread that parks on an object without an owner may wait for work, so that is no
 * contention; an N of 0 means a lock with an unknown owner.
 *
 * <p>A thread's NAME may contain any of the words between the parts; a METHOD, {@code RET CLASS.NAME(ARGS)}, cannot. So
 * the parser removes the parts from the right, and the name remains. A LOCATION is {@code File.java:LINE}, and may
 * contain parentheses if the build renames source files; it is the rest after the arguments.
 *
 * <p>The number after the last colon of a location is the line. The parser omits unreadable parts; a name of another
 * form is no contention.
 */
public final class LockContentionParser {
    private static final String MONITOR = "monitor contention with owner ";
    private static final String RUNTIME = "Lock contention on ";
    private static final String PTHREAD = "Contending for pthread mutex";
    private static final String UNKNOWN_OWNER = "<unknown> (0)";
    private static final String PARK = "parking on ";
    private static final String LOCK = " lock=";
    private static final String FROM = " blocking from ";
    private static final String WAITERS = " waiters=";
    private static final String AT = " at ";
    private static final String TID = " (owner tid: ";

    private LockContentionParser() {}

    /** {@return the content of a slice's name, null if it is no contention slice} */
    public static @Nullable LockContention parse(String name) {
        if (name.startsWith(MONITOR)) {
            return monitor(name.substring(MONITOR.length()));
        }
        if (name.startsWith(RUNTIME)) {
            return runtime(name.substring(RUNTIME.length()));
        }
        if (name.startsWith(PARK) && name.contains(TID)) {
            return park(name.substring(PARK.length()));
        }
        if (name.startsWith(PTHREAD)) {
            String lock = GenericTerm.PTHREAD_MUTEX.text();
            return new LockContention(LockContention.Kind.PTHREAD, lock, null, LockContention.NO_OWNER, null, 0, null);
        }
        return null;
    }

    private static LockContention monitor(String text) {
        String rest = text;
        CodeLocation blocked = null;
        int from = rest.lastIndexOf(FROM);
        if (from >= 0) {
            blocked = CodeLocationParser.location(rest.substring(from + FROM.length()));
            rest = rest.substring(0, from);
        }
        int waiters = 0;
        String lock = Wait.MONITOR_LOCK;
        int count = rest.lastIndexOf(WAITERS);
        if (count >= 0) {
            int number = count + WAITERS.length();
            int named = rest.indexOf(LOCK, number);
            lock = named < 0 ? lock : rest.substring(named + LOCK.length());
            waiters = Math.max(0, CodeLocationParser.number(rest, number, named < 0 ? rest.length() : named));
            rest = rest.substring(0, count);
        }
        int open = ownerIdStart(rest);
        if (open < 0) {
            return new LockContention(
                    LockContention.Kind.MONITOR, lock, rest, LockContention.NO_OWNER, null, waiters, blocked);
        }
        int close = rest.indexOf(')', open);
        CodeLocation held = rest.startsWith(AT, close + 1)
                ? CodeLocationParser.location(rest.substring(close + 1 + AT.length()))
                : null;
        return new LockContention(
                LockContention.Kind.MONITOR,
                lock,
                rest.startsWith(UNKNOWN_OWNER) ? null : rest.substring(0, open),
                CodeLocationParser.number(rest, open + 2, close),
                held,
                waiters,
                blocked);
    }

    /** The index of the last {@code " (N)"} before a space or the end; -1 if there is none. */
    private static int ownerIdStart(String text) {
        int close = -1; // the first one after the current index
        for (int at = text.length() - 1; at >= 0; at--) {
            if (text.charAt(at) == ')') {
                close = at;
            } else if (close >= 0 && text.startsWith(" (", at)) {
                boolean ends = close + 1 == text.length() || text.charAt(close + 1) == ' ';
                if (ends && CodeLocationParser.number(text, at + 2, close) >= 0) {
                    return at;
                }
            }
        }
        return -1;
    }

    private static LockContention runtime(String text) {
        return owned(LockContention.Kind.RUNTIME, text, null);
    }

    private static LockContention park(String text) {
        int from = text.lastIndexOf(FROM);
        return from < 0
                ? owned(LockContention.Kind.PARK, text, null)
                : owned(
                        LockContention.Kind.PARK,
                        text.substring(0, from),
                        CodeLocationParser.location(text.substring(from + FROM.length())));
    }

    /** Parses {@code LOCK (owner tid: N)}. */
    private static LockContention owned(LockContention.Kind kind, String text, @Nullable CodeLocation blocked) {
        int tid = text.lastIndexOf(TID);
        if (tid < 0) {
            return new LockContention(kind, text, null, LockContention.NO_OWNER, null, 0, blocked);
        }
        int end = text.indexOf(')', tid);
        int owner = CodeLocationParser.number(text, tid + TID.length(), end < 0 ? text.length() : end);
        return new LockContention(
                kind, text.substring(0, tid), null, Math.max(LockContention.NO_OWNER, owner), null, 0, blocked);
    }
}
