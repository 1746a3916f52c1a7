package dev.unjank.proof.steps;

/** The effect of a method of a VarHandle or of an atomic object on its variable, derived from the method's name. */
enum MemoryAccess {
    READ,
    WRITE,
    READ_MODIFY_WRITE;

    static MemoryAccess of(String method) {
        if (method.startsWith("compareAnd")
                || method.startsWith("weakCompareAnd")
                || method.startsWith("getAnd")
                || method.endsWith("AndGet")
                || method.equals("increment")
                || method.equals("decrement")
                || method.equals("add")
                || method.equals("accumulate")) {
            return READ_MODIFY_WRITE;
        }
        return method.startsWith("set") || method.startsWith("lazySet") ? WRITE : READ;
    }
}
