package dev.unjank.record.jvm;

import dev.unjank.record.agent.AgentProtocol;
import dev.unjank.trace.read.jfr.JavaNames;
import org.jspecify.annotations.Nullable;

/**
 * The names of slices that say what a thread waited for, once it is known who had the lock. They are exactly those of Android's
 * runtime, so that whoever knows an Android trace, Perfetto's own tables among them, knows these: a monitor's has the return
 * type and both parenthesised groups of both methods, and no thread's name in it has {@code " ("} within.
 */
final class LockSliceNames {
    static final String UNKNOWN_SITE = JavaNames.UNKNOWN_SITE;

    private static final String MONITOR = "monitor contention with owner ";
    private static final String PARK = "parking on ";
    private static final String OWNER = " (owner tid: ";
    private static final String WAITERS = " waiters=";
    private static final String FROM = " blocking from ";

    private LockSliceNames() {}

    /** How the waits are known by that slices of a name are about: {@link AgentProtocol#MONITOR}, {@link AgentProtocol#PARK}; -1 for none. */
    static byte kind(String name) {
        return name.startsWith(MONITOR) ? AgentProtocol.MONITOR : name.startsWith(PARK) ? AgentProtocol.PARK : -1;
    }

    /** The class of what a thread parked on, from the name of the slice; null if that does not say. */
    static @Nullable String parkedOn(String name) {
        if (!name.startsWith(PARK)) {
            return null;
        }
        int end = name.indexOf(' ', PARK.length());
        return name.substring(PARK.length(), end < 0 ? name.length() : end);
    }

    /**
     * The name of a slice with an owner that was seen.
     *
     * @param name as Flight Recorder's event gives it
     * @param owner who had the lock, null if nobody saw it
     * @param site where the owner took it or was, null if not known
     */
    static String with(String name, @Nullable Owner owner, @Nullable String site) {
        return switch (kind(name)) {
            case AgentProtocol.MONITOR -> withFile(monitor(name, owner, site));
            case AgentProtocol.PARK -> withFile(owner == null ? name : park(name, owner.tid));
            default -> name;
        };
    }

    /**
     * Flight Recorder does not know source files, and its reader puts the outermost class in the place of one. Here the file is named
     * that the class would be in if it is Java's, as in the other place, which the observer tells exactly.
     */
    private static String withFile(String name) {
        int site = name.indexOf(FROM) + FROM.length();
        return site < FROM.length() ? name : name.substring(0, site) + siteWithFile(name.substring(site));
    }

    /** The same for a place alone. */
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

    /**
     * A thread that has a lock.
     *
     * @param name its name
     * @param tid its number
     */
    record Owner(String name, int tid) {}

    private static String monitor(String name, @Nullable Owner owner, @Nullable String site) {
        int waiters = name.lastIndexOf(WAITERS);
        return owner == null || waiters < 0
                ? name
                : MONITOR + owner(owner) + " at " + (site == null ? UNKNOWN_SITE : site) + name.substring(waiters);
    }

    /** The name of a wait for a monitor that is known from sightings alone. */
    static String monitor(Owner owner, @Nullable String site) {
        return MONITOR + owner(owner) + " at " + (site == null ? UNKNOWN_SITE : site) + WAITERS + "0" + FROM
                + UNKNOWN_SITE;
    }

    /** The name of a wait for a lock of the library that is known from sightings alone. */
    static String park(String lock, Owner owner) {
        return PARK + lock + OWNER + owner.tid + ")";
    }

    private static String owner(Owner owner) {
        return owner.name.replace(" (", "(") + " (" + owner.tid + ")";
    }

    private static String park(String name, int tid) {
        int told = name.indexOf(OWNER);
        int close = told < 0 ? -1 : name.indexOf(')', told);
        if (close >= 0) {
            return name.substring(0, told) + OWNER + tid + name.substring(close);
        }
        int from = name.indexOf(FROM);
        int end = from < 0 ? name.length() : from;
        return name.substring(0, end) + OWNER + tid + ")" + name.substring(end);
    }
}
