package dev.unjank.proof.steps;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;

/**
 * Rewrites a class so that it calls {@link InstructionHook} before every instruction, and reports locks, shared
 * variables and calls.
 *
 * <p>For VarHandle and atomic accesses, the receiver object is deep in the operand stack. Therefore the instrumented
 * code calls a generated static bridge method with the operands as parameters.
 */
final class Instrumenter {
    private static final ClassDesc PROBE =
            InstructionHook.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc OF_PLACE = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);
    private static final MethodTypeDesc OF_CALL =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String, ConstantDescs.CD_String);
    private static final MethodTypeDesc OF_OBJECT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object);
    private static final MethodTypeDesc OF_HOLDER =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_String);

    private static final String VAR_HANDLE = "java/lang/invoke/VarHandle";
    private static final String ATOMIC = "java/util/concurrent/atomic/";
    private static final String FIELD_UPDATER = "FieldUpdater";
    private static final String LOOPER = InstrumentedLooperLoader.LOOPER.replace('.', '/');

    private final ClassLoader original;
    private final ClassFile classFile;

    Instrumenter(ClassLoader original) {
        this.original = original;
        // stack map frames are recomputed, which requires the class hierarchy
        classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(original).orElse(ClassHierarchyResolver.defaultResolver())));
    }

    byte[] rewrite(byte[] bytes) {
        ClassModel model = classFile.parse(bytes);
        List<Bridge> bridges = new ArrayList<>();
        ClassTransform methods = (ClassBuilder builder, ClassElement element) -> {
            if (element instanceof MethodModel method && method.code().isPresent()) {
                builder.transformMethod(
                        method, MethodTransform.transformingCode(new Rewriting(model, method, bridges)));
            } else {
                builder.with(element);
            }
        };
        return classFile.transformClass(
                model,
                methods.andThen(
                        ClassTransform.endHandler(builder -> bridges.forEach(bridge -> bridge.build(builder)))));
    }

    private boolean isVolatile(FieldInstruction access) {
        try {
            ClassModel owner = classFile.parse(
                    InstrumentedLooperLoader.bytesOf(original, access.owner().asInternalName()));
            return owner.fields().stream()
                    .anyMatch(field -> field.fieldName().equals(access.name())
                            && field.flags().has(AccessFlag.VOLATILE));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The transformation of one method. */
    private final class Rewriting implements CodeTransform {
        private final List<Bridge> bridges;
        private final ClassDesc self;
        private final String method;
        private final boolean isSynchronized;
        private final boolean isConstructor;
        private final boolean isInterface;
        private int line;

        Rewriting(ClassModel model, MethodModel method, List<Bridge> bridges) {
            this.bridges = bridges;
            this.self = model.thisClass().asSymbol();
            this.method = simpleName(model.thisClass().asInternalName()) + "."
                    + method.methodName().stringValue();
            this.isSynchronized = method.flags().has(AccessFlag.SYNCHRONIZED);
            this.isInterface = model.flags().has(AccessFlag.INTERFACE);
            this.isConstructor = method.methodName().equalsString(ConstantDescs.INIT_NAME);
        }

        @Override
        public void atStart(CodeBuilder builder) {
            if (isSynchronized) {
                probe(builder, "monitor");
            }
        }

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
            if (element instanceof LineNumber number) {
                line = number.line();
            }
            if (element instanceof Instruction) {
                probe(builder, "step");
            }
            switch (element) {
                case MonitorInstruction monitor
                when monitor.opcode() == Opcode.MONITORENTER -> {
                    probe(builder, "monitor");
                    builder.with(element);
                }
                case FieldInstruction field
                when (field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC) && isVolatile(field) -> {
                    probe(builder, "fence");
                    builder.with(element);
                }
                case InvokeInstruction call -> rewriteCall(builder, call);
                default -> builder.with(element);
            }
        }

        private void rewriteCall(CodeBuilder builder, InvokeInstruction call) {
            String owner = call.owner().asInternalName();
            String name = call.name().stringValue();
            if (owner.startsWith(LOOPER)) {
                builder.with(call);
                return;
            }
            builder.loadConstant(method)
                    .loadConstant(owner.replace('/', '.') + "." + name)
                    .invokestatic(PROBE, "call", OF_CALL);
            if (name.equals("fullFence") || (owner.equals(VAR_HANDLE) && name.equals("setVolatile"))) {
                probe(builder, "fence");
            }
            boolean shared = owner.equals(VAR_HANDLE) || owner.startsWith(ATOMIC);
            MemoryAccess access = shared ? MemoryAccess.of(name) : MemoryAccess.READ;
            if (access == MemoryAccess.READ || call.opcode() != Opcode.INVOKEVIRTUAL) {
                builder.with(call);
            } else {
                Bridge bridge = new Bridge(bridges.size(), call, access, where());
                bridges.add(bridge);
                builder.invokestatic(self, bridge.name(), bridge.type(), isInterface);
            }
            if (isConstructor && owner.equals("java/lang/Object") && name.equals(ConstantDescs.INIT_NAME)) {
                builder.aload(0).invokestatic(PROBE, "born", OF_OBJECT);
            }
        }

        private void probe(CodeBuilder builder, String hook) {
            builder.loadConstant(where()).invokestatic(PROBE, hook, OF_PLACE);
        }

        private String where() {
            return method + ":" + line;
        }
    }

    static String simpleName(String internalName) {
        return internalName.substring(internalName.lastIndexOf('/') + 1);
    }

    /** A generated static method that calls {@link InstructionHook} and then makes the original call. */
    private record Bridge(int number, InvokeInstruction call, MemoryAccess access, String where) {
        String name() {
            return "probe$" + number;
        }

        /** The type of the call with the receiver as first parameter. */
        MethodTypeDesc type() {
            return call.typeSymbol().insertParameterTypes(0, call.owner().asSymbol());
        }

        /**
         * The local slot of the object whose variable is accessed: the first coordinate of a VarHandle, or the atomic
         * object itself.
         */
        private int holderSlot() {
            String owner = call.owner().asInternalName();
            boolean indirect = owner.equals(VAR_HANDLE) || owner.endsWith(FIELD_UPDATER);
            if (!indirect) {
                return 0;
            }
            int values = call.name().stringValue().contains("ompareAnd") ? 2 : 1;
            boolean isStatic = call.typeSymbol().parameterCount() == values;
            return isStatic ? -1 : 1;
        }

        void build(ClassBuilder builder) {
            builder.withMethodBody(
                    name(), type(), ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC, code -> {
                        if (holderSlot() < 0) {
                            code.aconst_null();
                        } else {
                            code.aload(holderSlot());
                        }
                        code.loadConstant(where)
                                .invokestatic(
                                        PROBE, access == MemoryAccess.WRITE ? "write" : "readModifyWrite", OF_HOLDER);
                        int slot = 0;
                        for (ClassDesc parameter : type().parameterList()) {
                            TypeKind kind = TypeKind.from(parameter);
                            code.loadLocal(kind, slot);
                            slot += kind.slotSize();
                        }
                        code.invokevirtual(call.owner().asSymbol(), call.name().stringValue(), call.typeSymbol())
                                .return_(TypeKind.from(type().returnType()));
                    });
        }
    }
}
