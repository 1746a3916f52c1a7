package dev.unjank.record.jvm;

import dev.unjank.record.agent.AgentProtocol;
import dev.unjank.trace.read.jfr.JavaNames;
import org.jspecify.annotations.Nullable;

/**
 * The names of slices of lock waits. They have exactly the format of Android's runtime, so that users recognise them
 * and Perfetto can parse them. The name of a wait for a monitor gives for the owner's and the waiter's method its
 * return type, {@code (arguments)} and {@code (file:line)}. Thread names in it must not contain {@code " ("}.
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

    /** Adds the sampled owner and its frame, if known, to the slice name that was made from a Flight Recorder event. */
    static String with(String name, @Nullable Owner owner, @Nullable String site) {
        return switch (kind(name)) {
            case AgentProtocol.MONITOR -> withFile(monitor(name, owner, site));
            case AgentProtocol.PARK -> withFile(owner == null ? name : park(name, owner.tid));
            default -> name;
        };
    }

    /**
     * Replaces the outermost class in the waiter's frame by its presumed source file, since Flight Recorder reports no
     * source files. The owner's frame comes from the agent, which reports the file.
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

    /** The slice name of a monitor wait that only samples show. */
    static String monitor(Owner owner, @Nullable String site) {
        return MONITOR + owner(owner) + " at " + (site == null ? UNKNOWN_SITE : site) + WAITERS + "0" + FROM
                + UNKNOWN_SITE;
    }

    /** The slice name of a wait for a java.util.concurrent lock that only samples show. */
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
