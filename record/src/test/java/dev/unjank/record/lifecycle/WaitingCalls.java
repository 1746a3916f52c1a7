package dev.unjank.record.lifecycle;

import dev.unjank.record.linux.TimedRead;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/** The calls in the recorder's classes that wait for another thread or process; its classes with locks and reads. */
final class WaitingCalls {
    /**
     * Methods of the JDK that wait, by name; {@code get}, {@code poll}, {@code offer} and {@code tryLock} only with a
     * limit, or of a future; {@code put} only of a queue, {@code close} only of an executor.
     */
    private static final Set<String> WAITING = Set.of(
            "join",
            "sleep",
            "wait",
            "waitFor",
            "await",
            "awaitTermination",
            "take",
            "takeFirst",
            "takeLast",
            "transfer",
            "acquire",
            "acquireUninterruptibly",
            "awaitUninterruptibly",
            "exchange",
            "invokeAll",
            "invokeAny",
            "lock",
            "lockInterruptibly",
            "arriveAndAwaitAdvance",
            "awaitAdvance",
            "tryAcquire",
            "park",
            "parkNanos",
            "parkUntil");

    private static final Set<String> OURS =
            Set.of(internal(PeriodicThread.class) + ".stop", internal(TimedRead.class) + ".within");

    private WaitingCalls() {}

    /** All calls in the recorder's process, as {@code Class.method calls callee}. */
    static Set<String> all() throws IOException, URISyntaxException {
        Set<String> calls = new TreeSet<>();
        for (ClassModel each : classes()) {
            each.methods().forEach(method -> addTo(calls, each, method));
        }
        return calls;
    }

    /** The outermost classes with synchronized methods or statements. */
    static Set<String> synchronizing() throws IOException, URISyntaxException {
        return classesWith((method, element) -> method.flags().has(AccessFlag.SYNCHRONIZED)
                || (element instanceof MonitorInstruction enter && enter.opcode() == Opcode.MONITORENTER));
    }

    /** The outermost classes that read a stream, channel or file by a method of the JDK. */
    static Set<String> reading() throws IOException, URISyntaxException {
        return classesWith((_, element) -> element instanceof InvokeInstruction call
                && reads(call.owner().asInternalName(), call.name().stringValue()));
    }

    private static boolean reads(String owner, String name) {
        boolean isInput = owner.startsWith("java/io/") || owner.startsWith("java/nio/");
        return isInput
                && (name.startsWith("read") || name.startsWith("transfer") || name.equals("lines"))
                && !name.equals("readAttributes")
                && !name.equals("readSymbolicLink");
    }

    private static Set<String> classesWith(BiPredicate<MethodModel, CodeElement> condition)
            throws IOException, URISyntaxException {
        Set<String> found = new TreeSet<>();
        for (ClassModel each : classes()) {
            for (MethodModel method : each.methods()) {
                if (method.code().stream()
                        .flatMap(CodeModel::elementStream)
                        .anyMatch(element -> condition.test(method, element))) {
                    found.add(outermost(each));
                }
            }
        }
        return found;
    }

    /** The classes in the recorder's process; without the agent in the target. */
    private static List<ClassModel> classes() throws IOException, URISyntaxException {
        Path classes = Path.of(EndLimits.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.walk(classes.resolve("dev/unjank/record"))) {
            return files.filter(file -> file.toString().endsWith(".class")
                            && !file.getParent().endsWith("agent"))
                    .map(WaitingCalls::parsed)
                    .toList();
        }
    }

    private static String outermost(ClassModel type) {
        return simple(type.thisClass().asInternalName()).replaceFirst("\\$.*", "");
    }

    private static ClassModel parsed(Path file) {
        try {
            return ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void addTo(Set<String> calls, ClassModel in, MethodModel method) {
        String caller =
                outermost(in) + "." + method.methodName().stringValue().replaceFirst("lambda\\$(.*)\\$.*", "$1");
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
                || (isOfJdk && name.equals("offer") && type.contains("J"))
                || (isOfJdk && name.startsWith("put") && (owner.endsWith("Queue") || owner.endsWith("Deque")))
                || (isOfJdk && name.equals("close") && owner.contains("Executor"));
    }

    private static String simple(String internal) {
        return internal.substring(internal.lastIndexOf('/') + 1);
    }

    private static String internal(Class<?> type) {
        return type.getName().replace('.', '/');
    }
}
