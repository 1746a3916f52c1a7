package dev.unjank.doctor.find.runtime;

import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.WaitKind;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds out what a virtual machine's thread waited for, from the category, name and stack of the wait's slice. */
final class RuntimeWaitClassifier {
    static final String PARK = "park";
    static final String OBJECT_WAIT = "wait";
    static final String SLEEP = "sleep";
    static final String IO = "io";
    static final String PINNED = "pinned";

    /** Frames of the mechanism by which all synchronizers block a thread. */
    private static final List<String> MECHANISM = List.of(
            "jdk.internal.",
            "sun.misc.Unsafe.",
            "java.util.concurrent.locks.",
            "java.util.concurrent.ForkJoinPool.managedBlock",
            "java.util.concurrent.ForkJoinPool.unmanagedBlock",
            "java.util.concurrent.ForkJoinPool.compensatedBlock",
            "java.lang.VirtualThread.",
            "java.lang.System$",
            "java.lang.Object.wait",
            "java.lang.Thread.sleep",
            "java.lang.Thread.afterSleep");

    /** Classes whose permits or items several threads share; queues end with the words of {@link #QUEUES}. */
    private static final Set<String> RESOURCES = Set.of("Semaphore", "Exchanger", "SynchronousQueue", "DelayQueue");

    private static final List<String> QUEUES = List.of("Queue", "Deque");

    /** A synchronizer of the program, as locks of the JDK's are not resources. */
    private static final String SYNCHRONIZER = "java.util.concurrent.locks.AbstractQueued";

    private static final String CONDITION = "ConditionObject.await";

    private static final String UTILITIES = "java.util.concurrent.";
    private static final String PARKING_ON = "parking on ";

    private final IdleStacks idleStacks;

    RuntimeWaitClassifier(IdleStacks idleStacks) {
        this.idleStacks = idleStacks;
    }

    /** {@return the meaning of a wait of one of the categories above} */
    RuntimeWait classify(String category, String name, CallStack recorded) {
        StackFrames stack = StackFrames.of(recorded);
        boolean isIdle = stack.size() > 0 && idleStacks.isIdle(stack);
        return switch (category) {
            case SLEEP -> ofKind(stack.size() > 0 ? WaitKind.SLEEP : null, "Thread.sleep", stack, isIdle);
            case IO -> ofKind(stack.size() > 0 ? WaitKind.IO : null, name, stack, isIdle);
            case PINNED -> ofPinned(name.substring(name.indexOf(": ") + 1).strip(), stack);
            case OBJECT_WAIT, PARK -> ofSynchronizer(category, name, stack, isIdle);
            default -> throw new IllegalArgumentException("no wait: " + category);
        };
    }

    private static RuntimeWait ofKind(@Nullable WaitKind kind, String target, StackFrames stack, boolean isIdle) {
        return new RuntimeWait(kind, target, stack.location(stack.firstOfProgram()), stack.stack(), isIdle, false);
    }

    /** The code location is that of the frame that pins: the one in the reason, or a class initializer. */
    private static RuntimeWait ofPinned(String reason, StackFrames stack) {
        int pinning = stack.firstOfProgram();
        for (int frame = 0; frame < stack.size(); frame++) {
            String method = stack.methods().get(frame);
            if (reason.contains(method) || method.endsWith(".<clinit>")) {
                pinning = frame;
                break;
            }
        }
        return new RuntimeWait(WaitKind.PINNED, reason, stack.location(pinning), stack.stack(), false, false);
    }

    private static RuntimeWait ofSynchronizer(String category, String name, StackFrames stack, boolean isIdle) {
        if (stack.size() == 0) {
            return ofKind(null, name, stack, false);
        }
        int inner = 0;
        while (inner < stack.size() && isMechanism(stack, inner)) {
            inner++;
        }
        boolean isUtility = inner < stack.size() && stack.methods().get(inner).startsWith(UTILITIES);
        boolean isJoin = inner < stack.size() && stack.methods().get(inner).startsWith("java.lang.Thread.join");
        if (isUtility || isJoin) {
            String type = stack.simpleClass(inner);
            int entry = inner;
            while (entry + 1 < stack.size()
                    && stack.isOfJdk(entry + 1)
                    && stack.simpleClass(entry + 1).equals(type)) {
                entry++;
            }
            WaitKind kind = isResource(type) ? WaitKind.RESOURCE : WaitKind.RESULT;
            return ofKind(kind, type + "." + stack.methodName(entry), stack, isIdle);
        }
        return ofSignal(category, name, stack, inner, isIdle);
    }

    /** A condition, or a synchronizer, of the program's own. */
    private static RuntimeWait ofSignal(String category, String name, StackFrames stack, int inner, boolean isIdle) {
        List<String> mechanism = stack.methods().subList(0, inner);
        boolean isCondition = mechanism.stream().anyMatch(method -> method.contains(CONDITION));
        boolean isSynchronizer = !isCondition && mechanism.stream().anyMatch(method -> method.startsWith(SYNCHRONIZER));
        String target = category.equals(OBJECT_WAIT)
                ? "Object.wait"
                : isCondition ? "Condition.await" : isSynchronizer ? parkedOn(name) : "LockSupport.park";
        WaitKind kind = isSynchronizer ? WaitKind.RESOURCE : WaitKind.RESULT;
        return new RuntimeWait(
                kind, target, stack.location(stack.firstOfProgram()), stack.stack(), isIdle, !isSynchronizer);
    }

    private static String parkedOn(String name) {
        return name.startsWith(PARKING_ON) ? name.substring(PARKING_ON.length()) : name;
    }

    private static boolean isMechanism(StackFrames stack, int frame) {
        String method = stack.methods().get(frame);
        return MECHANISM.stream().anyMatch(method::startsWith);
    }

    private static boolean isResource(String type) {
        return RESOURCES.contains(type) || QUEUES.stream().anyMatch(type::endsWith);
    }
}
