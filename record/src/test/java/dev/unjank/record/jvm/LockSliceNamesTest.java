package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.record.jvm.LockSliceNames.Owner;
import org.junit.jupiter.api.Test;

class LockSliceNamesTest {
    private static final String SITE = "void a.B.c(int)(B.java:7)";
    private static final String RECORDED_FROM = " blocking from boolean d.E.f()(E:3)";
    private static final String FROM = " blocking from boolean d.E.f()(E.java:3)";

    @Test
    void theOwnerThatWasSeenReplacesTheOneThatGaveTheMonitorUp() {
        String recorded = "monitor contention with owner last (12) at " + LockSliceNames.UNKNOWN_SITE + " waiters=2"
                + RECORDED_FROM;

        assertThat(LockSliceNames.with(recorded, new Owner("first", 34), SITE))
                .isEqualTo("monitor contention with owner first (34) at " + SITE + " waiters=2" + FROM);
    }

    @Test
    void whereTheOwnerWasMayNotBeKnown() {
        String recorded = "monitor contention with owner last (12) at " + SITE + " waiters=0" + RECORDED_FROM;

        assertThat(LockSliceNames.with(recorded, new Owner("first (b)", 34), null))
                .isEqualTo("monitor contention with owner first(b) (34) at " + LockSliceNames.UNKNOWN_SITE
                        + " waiters=0" + FROM);
    }

    @Test
    void aNameWithBothMethodsStaysAsItIs() {
        String recorded = "monitor contention with owner last (12) at " + SITE + " waiters=0" + FROM;

        assertThat(LockSliceNames.with(recorded, null, null)).isEqualTo(recorded);
    }

    @Test
    void aParkGetsItsOwner() {
        String lock = "parking on java.util.concurrent.locks.ReentrantLock$NonfairSync";

        assertThat(LockSliceNames.with(lock, new Owner("first", 34), null)).isEqualTo(lock + " (owner tid: 34)");
        assertThat(LockSliceNames.with(lock + " (owner tid: 0)" + RECORDED_FROM, new Owner("first", 34), SITE))
                .isEqualTo(lock + " (owner tid: 34)" + FROM);
        assertThat(LockSliceNames.with(lock + RECORDED_FROM, new Owner("first", 34), null))
                .isEqualTo(lock + " (owner tid: 34)" + FROM);
        assertThat(LockSliceNames.with(lock, null, null)).isEqualTo(lock);
    }

    @Test
    void aPlaceWithoutALineHasAFileToo() {
        String recorded =
                "monitor contention with owner last (12) at " + SITE + " waiters=0 blocking from void a.B.c()(B)";

        assertThat(LockSliceNames.with(recorded, null, null)).endsWith(" blocking from void a.B.c()(B.java)");
    }

    @Test
    void aHiddenClassHasNoFile() {
        String site = "void a.B$$Lambda.0x0000000029.run()(0x0000000029)";

        assertThat(LockSliceNames.siteWithFile(site)).isEqualTo(site);
        assertThat(LockSliceNames.siteWithFile(LockSliceNames.UNKNOWN_SITE)).isEqualTo(LockSliceNames.UNKNOWN_SITE);
    }

    @Test
    void theClassOfALockIsInTheNameOfAPark() {
        assertThat(LockSliceNames.parkedOn("parking on a.B$C (owner tid: 0)" + RECORDED_FROM))
                .isEqualTo("a.B$C");
        assertThat(LockSliceNames.parkedOn("parking on a.B")).isEqualTo("a.B");
        assertThat(LockSliceNames.parkedOn("parking")).isNull();
    }

    @Test
    void otherNamesAreLeftAlone() {
        assertThat(LockSliceNames.with("sleeping", new Owner("first", 34), SITE))
                .isEqualTo("sleeping");
        assertThat(LockSliceNames.kind("waiting on java.lang.Object")).isNegative();
    }
}
