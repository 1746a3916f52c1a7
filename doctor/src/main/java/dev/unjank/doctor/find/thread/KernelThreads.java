package dev.unjank.doctor.find.thread;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kernel's own threads, recognised by their conventional names. */
public final class KernelThreads {
    /** The task of a kernel thread. */
    public enum Role {
        DEFERRED_WORK,
        SOFTIRQ,
        INTERRUPT,
        MEMORY_RECLAIM,
        MEMORY_COMPACTION,
        MIGRATION,
        RCU,
        STORAGE,
        JOURNAL,
        ENCRYPTED_STORAGE,
        FILE_SYSTEM,
        DISPLAY,
        THREAD_STARTER;

        /** Whether a thread of this role has work only because programs use much memory. */
        public boolean isForMemory() {
            return this == MEMORY_RECLAIM || this == MEMORY_COMPACTION;
        }
    }

    /**
     * By the start of the name. No program names its threads like this, so the names also identify the kernel's
     * threads.
     */
    private static final List<NamedRole> ROLES = List.of(
            new NamedRole("kworker/", Role.DEFERRED_WORK),
            new NamedRole("ksoftirqd/", Role.SOFTIRQ),
            new NamedRole("irq/", Role.INTERRUPT),
            new NamedRole("kswapd", Role.MEMORY_RECLAIM),
            new NamedRole("kcompactd", Role.MEMORY_COMPACTION),
            new NamedRole("migration/", Role.MIGRATION),
            new NamedRole("rcu_", Role.RCU),
            new NamedRole("rcuop/", Role.RCU),
            new NamedRole("rcuog/", Role.RCU),
            new NamedRole("mmcqd/", Role.STORAGE),
            new NamedRole("jbd2/", Role.JOURNAL),
            new NamedRole("dmcrypt_write", Role.ENCRYPTED_STORAGE),
            new NamedRole("f2fs_", Role.FILE_SYSTEM),
            new NamedRole("mdss_fb", Role.DISPLAY),
            new NamedRole("kthreadd", Role.THREAD_STARTER));

    private static final String INTERRUPT = "irq/";

    private KernelThreads() {}

    private record NamedRole(String prefix, Role role) {}

    /** {@return the role of the kernel thread of a name; null if the name is not one of a kernel thread} */
    public static @Nullable Role role(@Nullable String name) {
        for (NamedRole named : ROLES) {
            if (name != null && name.startsWith(named.prefix)) {
                return named.role;
            }
        }
        return null;
    }

    /**
     * {@return the driver that a thread works for, such as in {@code irq/145-touch} or {@code kworker/u17:2-mali_jd};
     * empty if none}
     */
    public static String driverName(String name) {
        int at = name.startsWith(INTERRUPT) ? name.indexOf('-') : name.indexOf(':');
        while (at >= 0 && at < name.length() && name.charAt(at) != '-' && name.charAt(at) != '+') {
            at++; // a plus stands before the driver while the thread is running
        }
        return at < 0 ? "" : name.substring(Math.min(name.length(), at + 1));
    }
}
