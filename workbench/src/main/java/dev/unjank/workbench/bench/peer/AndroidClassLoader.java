package dev.unjank.workbench.bench.peer;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * Loads Android's own classes on a plain JVM. Only their native methods are changed, since the native library is
 * missing: methods that {@link AndroidNatives} implements call it; the others return 0, null or an empty string.
 */
final class AndroidClassLoader extends ClassLoader {
    private static final ClassDesc NATIVES =
            AndroidNatives.class.describeConstable().orElseThrow();
    private static final Set<String> KNOWN = Arrays.stream(AndroidNatives.class.getDeclaredMethods())
            .map(Method::getName)
            .collect(Collectors.toSet());

    /** The jar with Android's classes that the Maven profile {@code android} downloads. */
    private static final Path JAR = Path.of("workbench", "target", "android", "android-all.jar");

    private final JarFile jar;
    private final ClassFile format;

    AndroidClassLoader(JarFile jar) {
        super(AndroidClassLoader.class.getClassLoader());
        this.jar = jar;
        ClassHierarchyResolver resolver =
                ClassHierarchyResolver.ofResourceParsing(this::open).orElse(ClassHierarchyResolver.defaultResolver());
        format = ClassFile.of(ClassHierarchyResolverOption.of(resolver));
    }

    /** Whether Android's classes have been downloaded. */
    static boolean isAvailable() {
        return Files.isReadable(jar());
    }

    static Path jar() {
        return Path.of(System.getProperty("unjank.root", ".")).resolve(JAR);
    }

    private @Nullable InputStream open(ClassDesc type) {
        String descriptor = type.descriptorString(); // of the form Ljava/lang/Object;
        return open(descriptor.substring(1, descriptor.length() - 1));
    }

    private @Nullable InputStream open(String internalName) {
        ZipEntry entry = jar.getEntry(internalName + ".class");
        try {
            return entry == null ? null : jar.getInputStream(entry);
        } catch (IOException e) {
            return null;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream in = open(name.replace('.', '/'))) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] rewritten = withoutNatives(in.readAllBytes());
            return defineClass(name, rewritten, 0, rewritten.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private byte[] withoutNatives(byte[] bytes) {
        return format.transformClass(format.parse(bytes), (builder, element) -> {
            if (element instanceof MethodModel method && method.flags().has(AccessFlag.NATIVE)) {
                builder.withMethodBody(
                        method.methodName().stringValue(),
                        method.methodTypeSymbol(),
                        method.flags().flagsMask() & ~ClassFile.ACC_NATIVE,
                        code -> writeBody(method, code));
            } else {
                builder.with(element);
            }
        });
    }

    private static void writeBody(MethodModel method, CodeBuilder code) {
        String name = method.methodName().stringValue();
        MethodTypeDesc type = method.methodTypeSymbol();
        TypeKind result = TypeKind.from(type.returnType());
        if (KNOWN.contains(name)) {
            int slot = method.flags().has(AccessFlag.STATIC) ? 0 : 1; // without the object
            for (ClassDesc parameter : type.parameterList()) {
                TypeKind kind = TypeKind.from(parameter);
                code.loadLocal(kind, slot);
                slot += kind.slotSize();
            }
            code.invokestatic(NATIVES, name, type);
        } else {
            switch (result) {
                case VOID -> {}
                case LONG -> code.lconst_0();
                case FLOAT -> code.fconst_0();
                case DOUBLE -> code.dconst_0();
                case REFERENCE -> {
                    if (type.returnType().equals(ConstantDescs.CD_String)) {
                        code.ldc("");
                    } else {
                        code.aconst_null();
                    }
                }
                default -> code.iconst_0();
            }
        }
        code.return_(result);
    }
}
