package dev.unjank.proof.steps;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The static call graph of the looper: the methods, locks and calls into other classes that can be reached from given
 * methods, whether or not any run ever gets there.
 *
 * <p>Conservative: a call of an overridden method counts as a call of every override, and
 * lambdas and methods that the JDK may call back count as called where their object is created. Static initializers are
 * excluded: they run once, before the first post.
 */
final class CallGraph {
    private static final String LOOPER = InstrumentedLooperLoader.LOOPER.replace('.', '/');

    private final Map<String, ClassModel> classes = new TreeMap<>();
    private final Set<String> absent;

    /**
     * Reads the classes.
     *
     * @param absent simple names of classes without instances
     */
    CallGraph(Set<String> absent) throws ClassNotFoundException {
        this.absent = absent;
        load(LOOPER + "Looper");
    }

    private void load(String internalName) throws ClassNotFoundException {
        if (!internalName.startsWith(LOOPER) || classes.containsKey(internalName)) {
            return;
        }
        ClassModel model =
                ClassFile.of().parse(InstrumentedLooperLoader.bytesOf(CallGraph.class.getClassLoader(), internalName));
        classes.put(internalName, model);
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof ClassEntry used) {
                load(used.asInternalName());
            }
        }
    }

    /**
     * The subgraph that is reachable from the roots.
     * @param methods class and method, without package
     * @param monitors the methods among them that enter a monitor
     * @param calls the calls out of the looper
     */
    record Reach(Set<String> methods, Set<String> monitors, Set<ExternalCall> calls) {}

    private record Method(String owner, String name, String type) {
        String shortName() {
            return Instrumenter.simpleName(owner) + "." + name;
        }
    }

    /** Everything reachable from all public methods of these names. */
    Reach from(Set<String> roots) {
        return new Walk().from(roots);
    }

    private final class Walk {
        private final Reach reach = new Reach(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        private final Set<Method> seen = new HashSet<>();
        private final Deque<Method> waiting = new ArrayDeque<>();

        Reach from(Set<String> roots) {
            Set<String> found = new HashSet<>();
            for (ClassModel model : classes.values()) {
                for (MethodModel method : model.methods()) {
                    Method named = nameOf(model, method);
                    if (roots.contains(named.shortName()) && method.flags().has(AccessFlag.PUBLIC)) {
                        found.add(named.shortName());
                        add(named);
                    }
                }
            }
            if (!found.equals(roots)) {
                throw new IllegalArgumentException("expected the roots " + roots + ", found " + found);
            }
            while (!waiting.isEmpty()) {
                visit(waiting.remove());
            }
            return reach;
        }

        private void add(Method method) {
            if (!absent.contains(Instrumenter.simpleName(method.owner)) && seen.add(method)) {
                waiting.add(method);
            }
        }

        private void visit(Method named) {
            ClassModel owner = model(named.owner);
            for (MethodModel method : owner.methods()) {
                if (!nameOf(owner, method).equals(named)) {
                    continue;
                }
                reach.methods.add(named.shortName());
                if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
                    reach.monitors.add(named.shortName());
                }
                method.code().ifPresent(code -> code.forEach(element -> visit(named, element)));
            }
        }

        private void visit(Method caller, CodeElement element) {
            switch (element) {
                case MonitorInstruction monitor
                when monitor.opcode() == Opcode.MONITORENTER -> reach.monitors.add(caller.shortName());
                case InvokeInstruction call ->
                    call(
                            caller,
                            call.owner().asInternalName(),
                            call.name().stringValue(),
                            call.type().stringValue());
                case InvokeDynamicInstruction dynamic -> {
                    for (LoadableConstantEntry argument :
                            dynamic.invokedynamic().bootstrap().arguments()) {
                        if (argument instanceof MethodHandleEntry handle) {
                            call(
                                    caller,
                                    handle.reference().owner().asInternalName(),
                                    handle.reference().name().stringValue(),
                                    handle.reference().type().stringValue());
                        }
                    }
                }
                default -> {}
            }
        }

        private void call(Method caller, String owner, String name, String type) {
            if (!owner.startsWith(LOOPER)) {
                reach.calls.add(new ExternalCall(caller.shortName(), owner.replace('/', '.') + "." + name));
                return;
            }
            boolean isConstructor = name.equals(ConstantDescs.INIT_NAME);
            for (ClassModel candidate : classes.values()) {
                String candidateName = candidate.thisClass().asInternalName();
                // its own or an inherited one, or an override
                if (isSubtype(owner, candidateName) || (!isConstructor && isSubtype(candidateName, owner))) {
                    for (MethodModel method : candidate.methods()) {
                        Method named = nameOf(candidate, method);
                        if (named.name.equals(name) && named.type.equals(type)) {
                            add(named);
                        }
                    }
                }
            }
            if (isConstructor) {
                addWhatOthersMayCall(model(owner));
            }
        }

        private void addWhatOthersMayCall(ClassModel made) {
            boolean ofOthers = made.interfaces().stream()
                            .anyMatch(type -> !type.asInternalName().startsWith(LOOPER))
                    || made.superclass()
                            .map(ClassEntry::asInternalName)
                            .filter(name -> !name.startsWith(LOOPER) && !name.equals("java/lang/Object"))
                            .isPresent();
            if (ofOthers) {
                for (MethodModel method : made.methods()) {
                    if (method.flags().has(AccessFlag.PUBLIC) && !method.flags().has(AccessFlag.STATIC)) {
                        add(nameOf(made, method));
                    }
                }
            }
        }
    }

    private ClassModel model(String internalName) {
        return Objects.requireNonNull(classes.get(internalName), internalName);
    }

    private boolean isSubtype(String type, String supertype) {
        if (type.equals(supertype)) {
            return true;
        }
        ClassModel model = classes.get(type);
        if (model == null) {
            return false;
        }
        return model.superclass()
                        .filter(parent -> isSubtype(parent.asInternalName(), supertype))
                        .isPresent()
                || model.interfaces().stream().anyMatch(parent -> isSubtype(parent.asInternalName(), supertype));
    }

    private static Method nameOf(ClassModel owner, MethodModel method) {
        return new Method(
                owner.thisClass().asInternalName(),
                method.methodName().stringValue(),
                method.methodType().stringValue());
    }
}
