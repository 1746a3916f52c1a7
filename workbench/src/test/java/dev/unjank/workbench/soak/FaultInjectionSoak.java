package dev.unjank.workbench.soak;

import dev.unjank.looper.FaultInjection;
import dev.unjank.looper.QueueKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Loads a soak and the looper below it once more, and the looper with some of its calls replaced by those of {@link
 * FaultInjection}: inside of the real queue, where a {@link LooperOperations} does not lead.
 */
final class FaultInjectionSoak extends ClassLoader {
    private static final String LOOPER = "dev.unjank.looper.";
    private static final String SOAK = "dev.unjank.workbench.soak.";
    private static final int THREADS = 4;
    private static final ClassDesc FAULT_INJECTION = ClassDesc.of(FaultInjection.class.getName());
    private static final MethodTypeDesc OF_PLACE = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);

    /**
     * A place in the looper, as a call that a method makes.
     *
     * @param name what it is that happens there, or null if that is not to be noted as soon as the call is reached
     * @param isReplaced whether {@link FaultInjection} is called instead
     */
    private record Place(String caller, String method, String callee, String name, boolean isReplaced) {}

    private static final List<Place> PLACES = List.of(
            new Place("queue.OutOfOrderBatch", "drainTo", "sort", "a sorted drain", true),
            new Place("queue.OutOfOrderBatch", "drainTo", "addToLaneOrHeap", null, true),
            new Place("queue.MessageGenerations", "unlinkIncrementally", "settle", "settling in passing", false),
            new Place(
                    "queue.MessageGenerations",
                    "unlinkIncrementally",
                    "unlinkDeadYoung",
                    "unlinking dead young",
                    false),
            new Place("queue.MessageGenerations", "unlinkDeadYoung", "isQueued", null, true),
            new Place("queue.MessageGenerations", "settleOne", "makeIndex", "an index, or a larger one", false),
            new Place("queue.MessageGenerations", "purge", "makeIndex", "a purge that leaves an index", false),
            new Place("LockFreeQueue$Search", "run", "search", "a search by the index", false),
            new Place("LockFreeQueue", "insert", "depth", null, true),
            new Place("LockFreeQueue", "tryRemove", "mustWakeAfterRemovals", null, true));

    /** All that can be reached. */
    static final Set<String> REACHABLE = new TreeSet<>(
            PLACES.stream().map(Place::name).filter(name -> name != null).collect(Collectors.toSet()));

    static {
        REACHABLE.add("a wake-up for what is undrained");
        REACHABLE.add("a wake-up for removals");
    }

    private final ClassLoader original;
    private final ClassFile classFile;

    private FaultInjectionSoak(ClassLoader original) {
        super(original);
        this.original = original;
        // stack map frames are recomputed, which requires the class hierarchy
        classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(original).orElse(ClassHierarchyResolver.defaultResolver())));
    }

    /**
     * Makes one that plays the round of a seed and answers with what it has found, and then with all that has been
     * reached so far.
     */
    @SuppressWarnings("unchecked") // what is loaded twice is not the same class; only those of the JDK are
    static Function<Long, List<List<String>>> newRounds(FaultInjection.Fault fault)
            throws ReflectiveOperationException {
        return (Function<Long, List<List<String>>>) new FaultInjectionSoak(FaultInjectionSoak.class.getClassLoader())
                .loadClass(Inside.class.getName())
                .getConstructor(String.class)
                .newInstance(fault.name());
    }

    /** What is inside. */
    public static final class Inside implements Function<Long, List<List<String>>> {
        private final Soak soak;

        /** Makes one by the name of the fault. */
        public Inside(String name) {
            FaultInjection.Fault fault = FaultInjection.Fault.valueOf(name);
            FaultInjection.breakBy(fault);
            // what a fault has lost is waited for in vain
            long patienceNanos = TimeUnit.SECONDS.toNanos(fault == FaultInjection.Fault.NONE ? 60 : 2);
            soak = new Soak(List.of(QueueKind.LOCK_FREE), THREADS, new LooperOperations(), patienceNanos);
        }

        @Override
        public List<List<String>> apply(Long seed) {
            List<String> found = new ArrayList<>();
            try {
                soak.play(seed, finding -> found.add(finding.what()));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return List.of(found, List.copyOf(FaultInjection.reached()));
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean isLooper = name.startsWith(LOOPER);
        if (!isLooper && !name.startsWith(SOAK)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            byte[] bytes = bytesOf(name);
            byte[] defined = isLooper ? rewrite(name.substring(LOOPER.length()), bytes) : bytes;
            return defineClass(name, defined, 0, defined.length);
        }
    }

    private byte[] bytesOf(String name) throws ClassNotFoundException {
        try (InputStream in = original.getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] rewrite(String name, byte[] bytes) {
        List<Place> here =
                PLACES.stream().filter(place -> place.caller.equals(name)).toList();
        if (here.isEmpty()) {
            return bytes;
        }
        ClassModel model = classFile.parse(bytes);
        return classFile.transformClass(model, (builder, element) -> {
            if (element instanceof MethodModel method) {
                builder.transformMethod(
                        method,
                        MethodTransform.transformingCode(at(here.stream()
                                .filter(place -> method.methodName().equalsString(place.method))
                                .toList())));
            } else {
                builder.with(element);
            }
        });
    }

    private static CodeTransform at(List<Place> places) {
        return (CodeBuilder builder, CodeElement element) -> {
            if (element instanceof InvokeInstruction call) {
                for (Place place : places) {
                    if (call.name().equalsString(place.callee)) {
                        if (place.name != null) {
                            builder.ldc(place.name).invokestatic(FAULT_INJECTION, "reach", OF_PLACE);
                        }
                        if (place.isReplaced) {
                            builder.invokestatic(FAULT_INJECTION, place.callee, withReceiver(call));
                            return;
                        }
                    }
                }
            }
            builder.with(element);
        };
    }

    private static MethodTypeDesc withReceiver(InvokeInstruction call) {
        return call.opcode() == Opcode.INVOKESTATIC
                ? call.typeSymbol()
                : call.typeSymbol().insertParameterTypes(0, call.owner().asSymbol());
    }
}
