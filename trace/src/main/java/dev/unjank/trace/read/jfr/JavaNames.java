package dev.unjank.trace.read.jfr;

/** Converts the JVM's names of classes and methods to source form. */
public final class JavaNames {
    /** An unknown code location, as Android's runtime writes it. */
    public static final String UNKNOWN_SITE = "void null()(null:-1)";

    private JavaNames() {}

    /** {@return a class name as in source code, with dots} */
    public static String ofClass(String name) {
        int dimensions = 0;
        while (dimensions < name.length() && name.charAt(dimensions) == '[') {
            dimensions++;
        }
        String element = name.substring(dimensions);
        if (dimensions > 0) {
            element = element.length() == 1 ? ofPrimitive(element.charAt(0)) : element;
        }
        if (element.startsWith("L") && element.endsWith(";")) {
            element = element.substring(1, element.length() - 1);
        }
        return element.replace('/', '.') + "[]".repeat(dimensions);
    }

    private static String ofPrimitive(char code) {
        return switch (code) {
            case 'Z' -> "boolean";
            case 'B' -> "byte";
            case 'C' -> "char";
            case 'S' -> "short";
            case 'I' -> "int";
            case 'J' -> "long";
            case 'F' -> "float";
            case 'D' -> "double";
            case 'V' -> "void";
            default -> String.valueOf(code);
        };
    }

    /**
     * A method with its types, as Android's runtime writes it: {@code void
     * java.io.PrintStream.write(java.lang.String)}. If the descriptor, such as {@code (Ljava/lang/String;)V}, is
     * malformed, the parentheses are empty.
     */
    public static String signature(String method, String descriptor) {
        int close = descriptor.indexOf(')');
        if (!descriptor.startsWith("(") || close < 0) {
            return method + "()";
        }
        StringBuilder text = new StringBuilder()
                .append(ofClass(arrayless(descriptor.substring(close + 1))))
                .append(' ')
                .append(method)
                .append('(');
        int at = 1;
        while (at < close) {
            int end = endOfType(descriptor, at, close);
            if (at > 1) {
                text.append(", ");
            }
            text.append(ofClass(arrayless(descriptor.substring(at, end))));
            at = end;
        }
        return text.append(')').toString();
    }

    /** A single primitive type is one letter, like an array's element: convert it to the form of {@link #ofClass}. */
    private static String arrayless(String type) {
        return type.length() == 1 ? ofPrimitive(type.charAt(0)) : type;
    }

    private static int endOfType(String descriptor, int from, int close) {
        int at = from;
        while (at < close && descriptor.charAt(at) == '[') {
            at++;
        }
        if (at < close && descriptor.charAt(at) == 'L') {
            int semicolon = descriptor.indexOf(';', at);
            return semicolon < 0 || semicolon > close ? close : semicolon + 1;
        }
        return Math.min(at + 1, close);
    }

    /** {@return the simple name of the outermost class, which in Java is that of the source file} */
    public static String outermostSimple(String className) {
        String simple = className.substring(className.lastIndexOf('.') + 1);
        int dollar = simple.indexOf('$', 1);
        return dollar < 0 ? simple : simple.substring(0, dollar);
    }
}
