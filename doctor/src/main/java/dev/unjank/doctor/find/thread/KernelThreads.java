package dev.unjank.doctor.find.thread;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the kernel's own threads are there for, as far as their names tell by convention. */
public final class KernelThreads {
    /** By how a name begins. No program gives its threads such names, so they also tell whose a thread is. */
    private static final List<Kind> KINDS = List.of(
            new Kind("kworker/", "does what drivers and file systems put off"),
            new Kind("ksoftirqd/", "does what many interrupts left to do, mostly of network, disks and timers"),
            new Kind("irq/", "handles interrupts"),
            new Kind("kswapd", "frees memory because little is left"),
            new Kind("kcompactd", "moves memory together, since large pieces of it are wanted"),
            new Kind("migration/", "moves threads from CPU to CPU"),
            new Kind("rcu_", "tidies up behind readers that take no locks (RCU)"),
            new Kind("rcuop/", "tidies up behind readers that take no locks (RCU)"),
            new Kind("rcuog/", "tidies up behind readers that take no locks (RCU)"),
            new Kind("mmcqd/", "reads and writes storage"),
            new Kind("jbd2/", "writes a file system's journal"),
            new Kind("dmcrypt_write", "writes encrypted storage"),
            new Kind("f2fs_", "writes a file system, or tidies it up"),
            new Kind("mdss_fb", "drives the display"),
            new Kind("kthreadd", "starts the kernel's other threads"));

    private static final String INTERRUPT = "irq/";

    private KernelThreads() {}

    private record Kind(String beginning, String does) {}

    /** Whether a name is one that only the kernel's threads have. */
    public static boolean isNamedSo(String name) {
        return kind(name) != null;
    }

    /** Whether a thread has work only because programs use much memory. */
    public static boolean isForMemory(@Nullable String name) {
        return name != null && (name.startsWith("kswapd") || name.startsWith("kcompactd"));
    }

    /** What a thread does, as the rest of a sentence; null if its name does not tell. */
    public static @Nullable String work(@Nullable String name) {
        Kind kind = name == null ? null : kind(name);
        if (name == null || kind == null) {
            return null;
        }
        String whose = whose(name);
        return whose.isEmpty() ? kind.does : kind.does + " (" + whose + ")";
    }

    /** The driver whose work it is: {@code irq/145-touch}, {@code kworker/u17:2-mali_jd}, or with a plus while it is at work. */
    private static String whose(String name) {
        int at = name.startsWith(INTERRUPT) ? name.indexOf('-') : name.indexOf(':');
        while (at >= 0 && at < name.length() && name.charAt(at) != '-' && name.charAt(at) != '+') {
            at++;
        }
        return at < 0 ? "" : name.substring(Math.min(name.length(), at + 1));
    }

    private static @Nullable Kind kind(String name) {
        for (Kind kind : KINDS) {
            if (name.startsWith(kind.beginning)) {
                return kind;
            }
        }
        return null;
    }
}
