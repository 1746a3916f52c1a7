package dev.unjank.record.launch;

import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.record.linux.Pipe;
import dev.unjank.record.session.TemporaryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A program that is started for its recording. It is held until the recorder is ready, without a debugger's means:
 *
 * <ul>
 *   <li>a {@code java} command before its main method, by an agent ({@link MainMethodGate}), so that the recorder can
 *       attach to the JVM;
 *   <li>any other program before its first instruction: the process is a shell that waits and then executes it.
 * </ul>
 *
 * <p>Both wait for a pipe of this process: if the recorder is killed, the shell ends, and a JVM continues with its main
 * method.
 *
 * <pre>
 * STARTING ──▶ HELD ──▶ RUNNING       {@link #close} from every state: ENDED
 *   (java only)  release
 * </pre>
 *
 * <p>It has this process's standard input and outputs, and belongs to its terminal: Ctrl-C reaches both.
 */
public final class StartedProgram implements AutoCloseable {
    private static final String GO = "go\n";

    /** Waits for the gate, and becomes the program. */
    private static final String SHELL = "gate=$1; shift; read -r go <\"$gate\" && exec \"$@\"";

    private static final long STEP_MILLIS = 5;

    /** The time to end for a program that the terminal's Ctrl-C has reached too. */
    private static final Duration OWN_END = Duration.ofMillis(500);

    /** The time to end after SIGTERM; then it is killed. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** A program in an uninterruptible sleep is left to the kernel after this time. */
    private static final Duration MOST_UNTIL_KILLED = Duration.ofSeconds(1);

    /** The state of the program, as the recorder knows it. */
    public enum State {
        /** The JVM has not reached its main method. */
        STARTING,
        /** It waits for {@link #release}. */
        HELD,
        /** It runs, or has ended by itself. */
        RUNNING,
        /** It has been ended by {@link #close}. */
        ENDED
    }

    private final Process process;
    private final boolean isJava;
    private final Pipe gate;
    private final Pipe arrived;
    private final @Nullable Path jar;
    private State state;

    private StartedProgram(Process process, boolean isJava, Pipe gate, Pipe arrived, @Nullable Path jar) {
        this.process = process;
        this.isJava = isJava;
        this.gate = gate;
        this.arrived = arrived;
        this.jar = jar;
        state = isJava ? State.STARTING : State.HELD;
    }

    /**
     * Starts a program and holds it.
     *
     * @param command the program, found as a shell does, and its arguments
     * @return the program, to be closed; null if there is no such program
     */
    public static @Nullable StartedProgram start(List<String> command) throws IOException {
        Path program = JavaCommand.find(
                command.getFirst(), System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin"));
        if (program == null) {
            return null;
        }
        boolean isJava = JavaCommand.isJava(command);
        Pipe gate = Pipe.open();
        Pipe arrived = null;
        Path jar = null;
        try {
            arrived = Pipe.open();
            jar = isJava ? jar() : null;
            List<String> held = jar == null
                    ? inShell(command, gate)
                    : JavaCommand.withAgent(command, program, jar, arrived.writeEnd() + "," + gate.readEnd());
            Process process = new ProcessBuilder(held).inheritIO().start();
            return new StartedProgram(process, isJava, gate, arrived, jar);
        } catch (IOException | RuntimeException e) {
            Cleanup cleanup = Cleanup.after(e).then(gate::close);
            if (arrived != null) {
                cleanup.then(arrived::close);
            }
            if (jar != null) {
                cleanup.then(deletion(jar));
            }
            throw cleanup.failure();
        }
    }

    private static List<String> inShell(List<String> command, Pipe gate) {
        List<String> held = new ArrayList<>(List.of("/bin/sh", "-c", SHELL, "unjank", gate.readEnd()));
        held.addAll(command);
        return held;
    }

    /** Writes the agent's jar. */
    private static Path jar() throws IOException {
        Path file = TemporaryFiles.file("hold", ".jar");
        return Files.write(file, GateAgentJar.bytes());
    }

    private static Cleanup.Step deletion(Path file) {
        return () -> {
            boolean _ = Files.deleteIfExists(file);
        };
    }

    /** Returns the process id, which stays the same when the shell executes the program. */
    public int pid() {
        return Math.toIntExact(process.pid());
    }

    /** Returns the process. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Whether the command is a JVM, which is held before its main method and not before its first instruction. */
    public boolean isJava() {
        return isJava;
    }

    /** Returns the state. Thread-safe. */
    public synchronized State state() {
        return state;
    }

    /**
     * Waits until the program is held. There is no time limit: a JVM may need long to start.
     *
     * @param isGivenUp whether to stop waiting
     * @return whether it is held; false if it has ended or the wait was given up
     */
    public boolean awaitHeld(BooleanSupplier isGivenUp) throws IOException {
        try {
            while (state() == State.STARTING) {
                if (arrived.take()) {
                    setState(State.HELD);
                } else if (isGivenUp.getAsBoolean() || process.waitFor(STEP_MILLIS, TimeUnit.MILLISECONDS)) {
                    return false;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return state() == State.HELD;
    }

    /** Lets the held program run. */
    public void release() throws IOException {
        if (state() == State.HELD) {
            gate.write(GO);
            setState(State.RUNNING);
        }
    }

    private synchronized void setState(State next) {
        state = next;
    }

    /**
     * Returns the exit code of a program that has ended, as a shell reports it: 128 and the signal if one has ended it.
     */
    public int exitCode() {
        return process.exitValue();
    }

    /**
     * Ends the program in any state, by SIGTERM, and by SIGKILL if it is still there after five seconds. A program that
     * Ctrl-C has reached as well has a moment to end by itself. Idempotent.
     */
    @Override
    public void close() throws IOException {
        close(OWN_END, GRACE);
    }

    /** Ends the program with other times, for tests. */
    void close(Duration ownEnd, Duration grace) throws IOException {
        if (state() == State.ENDED) {
            return;
        }
        boolean isHeld = state() != State.RUNNING;
        setState(State.ENDED);
        Cleanup cleanup = new Cleanup()
                .then(() -> end(isHeld ? Duration.ZERO : ownEnd, grace))
                .then(gate::close)
                .then(arrived::close);
        if (jar != null) {
            cleanup.then(deletion(jar));
        }
        cleanup.finish();
    }

    private void end(Duration ownEnd, Duration grace) {
        try {
            if (!process.waitFor(ownEnd.toNanos(), TimeUnit.NANOSECONDS)) {
                process.destroy();
                if (!process.waitFor(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                    boolean _ = process.destroyForcibly().waitFor(MOST_UNTIL_KILLED.toNanos(), TimeUnit.NANOSECONDS);
                }
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
