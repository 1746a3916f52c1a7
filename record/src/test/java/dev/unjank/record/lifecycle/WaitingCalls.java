package dev.unjank.record.lifecycle;

import dev.unjank.record.linux.TimedRead;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The calls in the recorder's classes that wait for another thread or process. */
final class WaitingCalls {
    /**
     * Methods of the JDK that wait, by name; {@code get}, {@code poll}, {@code offer} and {@code tryLock} only with a
     * limit, or of a future. Without locks and reads, which may wait as well.
     */
    private static final Set<String> WAITING = Set.of(
            "join",
            "sleep",
            "wait",
            "waitFor",
            "await",
            "awaitTermination",
            "take",
            "acquire",
            "acquireUninterruptibly",
            "awaitUninterruptibly",
            "exchange",
            "invokeAll",
            "invokeAny",
            "lockInterruptibly",
            "tryAcquire",
            "park",
            "parkNanos",
            "parkUntil");

    private static final Set<String> OURS =
            Set.of(internal(PeriodicThread.class) + ".stop", internal(TimedRead.class) + ".within");

    private WaitingCalls() {}

    /** All calls in the recorder's process, as {@code Class.method calls callee}; without the agent in the target. */
    static Set<String> all() throws IOException, URISyntaxException {
        Path classes = Path.of(EndLimits.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Set<String> calls = new TreeSet<>();
        try (Stream<Path> files = Files.walk(classes.resolve("dev/unjank/record"))) {
            files.filter(file -> file.toString().endsWith(".class")
                            && !file.getParent().endsWith("agent"))
                    .map(WaitingCalls::parsed)
                    .forEach(each -> each.methods().forEach(method -> addTo(calls, each, method)));
        }
        return calls;
    }

    private static ClassModel parsed(Path file) {
        try {
            return ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void addTo(Set<String> calls, ClassModel in, MethodModel method) {
        String caller = simple(in.thisClass().asInternalName()).replaceFirst("\\$.*", "") + "."
                + method.methodName().stringValue().replaceFirst("lambda\\$(.*)\\$.*", "$1");
        method.code()
                .ifPresent(code -> code.elementStream().forEach(element -> {
                    switch (element) {
                        case InvokeInstruction call ->
                            add(
                                    calls,
                                    caller,
                                    call.owner().asInternalName(),
                                    call.name().stringValue(),
                                    call.type().stringValue());
                        case InvokeDynamicInstruction reference ->
                            reference.bootstrapArgs().stream()
                                    .filter(DirectMethodHandleDesc.class::isInstance)
                                    .map(DirectMethodHandleDesc.class::cast)
                                    .forEach(to -> add(
                                            calls,
                                            caller,
                                            to.owner().descriptorString().replaceAll("^L|;$", ""),
                                            to.methodName(),
                                            to.lookupDescriptor()));
                        default -> {}
                    }
                }));
    }

    private static void add(Set<String> calls, String caller, String owner, String name, String type) {
        if (waits(owner, name, type)) {
            boolean isEndless = owner.equals(internal(PeriodicThread.class)) && type.equals("()V");
            calls.add(caller + " calls " + simple(owner) + "." + name + (isEndless ? " without a limit" : ""));
        }
    }

    private static boolean waits(String owner, String name, String type) {
        boolean isFuture = owner.contains("Future") || owner.endsWith("ClosingTask");
        boolean isOfJdk = owner.startsWith("java/") && !owner.equals("java/lang/String");
        return OURS.contains(owner + "." + name)
                || (isFuture && (name.equals("get") || name.equals("join")))
                || (isOfJdk && WAITING.contains(name))
                || (isOfJdk && name.equals("poll") && type.startsWith("(J"))
                || (isOfJdk && name.equals("tryLock") && type.startsWith("(J"))
                || (isOfJdk && name.equals("offer") && type.contains("J"));
    }

    private static String simple(String internal) {
        return internal.substring(internal.lastIndexOf('/') + 1);
    }

    private static String internal(Class<?> type) {
        return type.getName().replace('.', '/');
    }
}
