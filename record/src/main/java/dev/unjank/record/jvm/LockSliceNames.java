package dev.unjank.record.jvm;

import dev.unjank.record.agent.AgentProtocol;
import dev.unjank.trace.read.jfr.JavaNames;
import org.jspecify.annotations.Nullable;

/**
 * The names of slices of lock waits. They have exactly the format of Android's runtime, so that users and Perfetto's
 * tables understand them: a monitor's name has the return type and both parenthesised groups of both methods, and no
 * thread name in it contains {@code " ("}.
 */
final class LockSliceNames {
    static final String UNKNOWN_SITE = JavaNames.UNKNOWN_SITE;

    private static final String MONITOR = "monitor contention with owner ";
    private static final String PARK = "parking on ";
    private static final String OWNER = " (owner tid: ";
    private static final String WAITERS = " waiters=";
    private static final String FROM = " blocking from ";

    private LockSliceNames() {}

    /**
     * The kind of lock wait of a slice name: {@link AgentProtocol#MONITOR}, {@link AgentProtocol#PARK}; -1 for none.
     */
    static byte kind(String name) {
        return name.startsWith(MONITOR) ? AgentProtocol.MONITOR : name.startsWith(PARK) ? AgentProtocol.PARK : -1;
    }

    /** The class of the object that a thread parked on, from the slice name; null if unknown. */
    static @Nullable String parkedOn(String name) {
        if (!name.startsWith(PARK)) {
            return null;
        }
        int end = name.indexOf(' ', PARK.length());
        return name.substring(PARK.length(), end < 0 ? name.length() : end);
    }

    /** The name of a slice, from that of Flight Recorder's event, with the sampled owner and its frame, if known. */
    static String with(String name, @Nullable Owner owner, @Nullable String site) {
        return switch (kind(name)) {
            case AgentProtocol.MONITOR -> withFile(monitor(name, owner, site));
            case AgentProtocol.PARK -> withFile(owner == null ? name : park(name, owner.tid));
            default -> name;
        };
    }

    /**
     * Replaces the outermost class in the frame by its presumed Java source file: Flight Recorder reports no source
     * files. The agent reports the file of the owner's frame.
     */
    private static String withFile(String name) {
        int site = name.indexOf(FROM) + FROM.length();
        return site < FROM.length() ? name : name.substring(0, site) + siteWithFile(name.substring(site));
    }

    /** The same for a single frame. */
    static String siteWithFile(String site) {
        int place = site.lastIndexOf('(');
        int colon = site.indexOf(':', place);
        int end = colon < 0 ? site.length() - 1 : colon;
        return place >= 0 && site.endsWith(")") && isClass(site, place + 1, end)
                ? site.substring(0, end) + ".java" + site.substring(end)
                : site;
    }

    private static boolean isClass(String text, int from, int to) {
        return from < to
                && !text.startsWith("null", from)
                && Character.isJavaIdentifierStart(text.charAt(from))
                && text.substring(from, to).chars().allMatch(Character::isJavaIdentifierPart);
    }

    record Owner(String name, int tid) {}

    private static String monitor(String name, @Nullable Owner owner, @Nullable String site) {
        int waiters = name.lastIndexOf(WAITERS);
        return owner == null || waiters < 0
                ? name
                : MONITOR + owner(owner) + " at " + (site == null ? UNKNOWN_SITE : site) + name.substring(waiters);
    }

    /** The name of a wait for a monitor that is known from samples only. */
    static String monitor(Owner owner, @Nullable String site) {
        return MONITOR + owner(owner) + " at " + (site == null ? UNKNOWN_SITE : site) + WAITERS + "0" + FROM
                + UNKNOWN_SITE;
    }

    /** The name of a wait for a java.util.concurrent lock that is known from samples only. */
    static String park(String lock, Owner owner) {
        return PARK + lock + OWNER + owner.tid + ")";
    }

    private static String owner(Owner owner) {
        return owner.name.replace(" (", "(") + " (" + owner.tid + ")";
    }

    private static String park(String name, int tid) {
        int known = name.indexOf(OWNER);
        int close = known < 0 ? -1 : name.indexOf(')', known);
        if (close >= 0) {
            return name.substring(0, known) + OWNER + tid + name.substring(close);
        }
        int from = name.indexOf(FROM);
        int end = from < 0 ? name.length() : from;
        return name.substring(0, end) + OWNER + tid + ")" + name.substring(end);
    }
}
