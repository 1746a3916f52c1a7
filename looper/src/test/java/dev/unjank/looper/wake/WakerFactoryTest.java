package dev.unjank.looper.wake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.HandlerThread;
import dev.unjank.looper.Looper;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.fixture.ManualClock;
import dev.unjank.looper.fixture.ManualWaker;
import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.spi.WakerProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The waker of a looper without one in its options. No provider is on this class path. */
class WakerFactoryTest {
    private static final Waker SPECIAL = new ManualWaker(new ManualClock());

    @AfterEach
    void clear() {
        System.clearProperty(WakerProvider.PROPERTY);
    }

    /** A provider of {@link #SPECIAL}. */
    private record Provider(String name, Optional<String> obstacle, Optional<Waker> newWaker)
            implements WakerProvider {}

    private static final WakerProvider AVAILABLE = new Provider("special", Optional.empty(), Optional.of(SPECIAL));
    private static final WakerProvider OBSTRUCTED =
            new Provider("blocked", Optional.of("not on this moon"), Optional.of(SPECIAL));
    private static final WakerProvider NOT_FOR_THIS_THREAD = new Provider("picky", Optional.empty(), Optional.empty());
    private static final WakerProvider BROKEN = new WakerProvider() {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public Optional<String> obstacle() {
            throw new UnsatisfiedLinkError("on purpose");
        }

        @Override
        public Optional<Waker> newWaker() {
            throw new AssertionError("not to be called");
        }
    };

    @Test
    void withoutProvidersALoopParks() {
        assertThat(WakerFactory.choose(List.of())).hasToString("parking");
        List<String> lines = new ArrayList<>();
        Looper.create(LooperOptions.defaults()).dump(lines::add, "");
        assertThat(lines.get(lines.size() - 1)).contains("waker=parking");
    }

    @Test
    void theFirstProviderThatHasOneIsTaken() {
        assertThat(WakerFactory.choose(List.of(BROKEN, OBSTRUCTED, NOT_FOR_THIS_THREAD, AVAILABLE)))
                .isSameAs(SPECIAL);
        assertThat(WakerFactory.choose(List.of(BROKEN, OBSTRUCTED, NOT_FOR_THIS_THREAD)))
                .hasToString("parking");
    }

    @Test
    void thePropertyForcesOne() {
        List<WakerProvider> providers = List.of(BROKEN, AVAILABLE, NOT_FOR_THIS_THREAD);
        assertThat(WakerFactory.required("special", providers)).containsSame(SPECIAL);
        assertThat(WakerFactory.required("parking", providers)).isEmpty();
        assertThat(WakerFactory.required("picky", providers)).isEmpty();
    }

    @Test
    void aForcedWakerThatCannotBeHadIsOneClearError() {
        assertThatThrownBy(() -> WakerFactory.required("blocked", List.of(AVAILABLE, OBSTRUCTED)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-Dunjank.waker=blocked: not on this moon");
        assertThatThrownBy(() -> WakerFactory.required("quick", List.of(AVAILABLE, OBSTRUCTED)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("-Dunjank.waker=quick: expected parking or special or blocked");
    }

    @Test
    void aWrongPropertyFailsForTheMakerOfTheLooperOrTheThread() {
        System.setProperty("unjank.waker", "futex");
        String message =
                "-Dunjank.waker=futex: expected parking" + " (futex needs looper-linux on the class path, and Java 22)";
        assertThatThrownBy(() -> Looper.create(LooperOptions.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> new HandlerThread("ui"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void optionsThatNameAWakerIgnoreTheProperty() {
        System.setProperty("unjank.waker", "quick");
        List<String> lines = new ArrayList<>();
        Looper.create(LooperOptions.defaults().withWaker(Waker::parking)).dump(lines::add, "");
        assertThat(lines.get(lines.size() - 1)).contains("waker=parking");
    }

    @Test
    void whatCannotBeLoadedIsLeftOut(@TempDir Path folder) throws Exception {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(
                services.resolve(WakerProvider.class.getName()),
                "no.such.Provider\njava.lang.String\n" + Loadable.class.getName() + "\n" + Throwing.class.getName());
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            assertThat(WakerFactory.load(loader)).singleElement().isInstanceOf(Loadable.class);
        }
    }

    @Test
    void aClassPathThatCannotBeReadEndsTheSearch() {
        ClassLoader broken = new ClassLoader(null) {
            @Override
            public java.util.Enumeration<URL> getResources(String name) throws IOException {
                throw new IOException("on purpose");
            }
        };
        assertThat(WakerFactory.load(broken)).isEmpty();
    }

    /** Found by the service loader in a test. */
    public static final class Loadable implements WakerProvider {
        @Override
        public String name() {
            return "loadable";
        }

        @Override
        public Optional<String> obstacle() {
            return Optional.empty();
        }

        @Override
        public Optional<Waker> newWaker() {
            return Optional.empty();
        }
    }

    /** Fails when the service loader makes it. */
    public static final class Throwing implements WakerProvider {
        public Throwing() {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public String name() {
            return "throwing";
        }

        @Override
        public Optional<String> obstacle() {
            return Optional.empty();
        }

        @Override
        public Optional<Waker> newWaker() {
            return Optional.empty();
        }
    }
}
