package dev.unjank.record.hotspot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the Java method that a thread executes, by scanning its stack for return addresses. An address in the code
 * cache leads to the compiled method through HotSpot's tables; an interpreter frame holds its method. An inlined method
 * is reported as the compiled method that it was inlined into. x86-64 only.
 */
final class StackMethodFinder {
    private static final int DEEPEST_BYTES = 32 << 10;

    /** The offset of the method in an interpreter frame, from the saved frame pointer. */
    private static final int METHOD_IN_FRAME = -3 * Long.BYTES;

    private static final int FREE = 0xff;
    private static final int LONGEST_NAME = 300;

    /** Packages of the downcall implementation. */
    private static final List<String> LIBRARY =
            List.of("java.lang.invoke.", "java.lang.foreign.", "jdk.internal.foreign.");

    private final ProcessMemory memory;
    private final long lowBound;
    private final long highBound;
    private final long heaps;
    private final long interpreterFrom;
    private final long interpreterTo;
    private final VmStructs layout;

    StackMethodFinder(VmStructs layout, ProcessMemory memory) throws IOException {
        this.layout = layout;
        this.memory = memory;
        lowBound = memory.longAt(layout.field("CodeCache::_low_bound"));
        highBound = memory.longAt(layout.field("CodeCache::_high_bound"));
        heaps = memory.longAt(layout.field("CodeCache::_heaps"));
        long stubs = memory.longAt(layout.field("AbstractInterpreter::_code"));
        interpreterFrom = memory.longAt(stubs + layout.field("StubQueue::_stub_buffer"));
        interpreterTo = interpreterFrom + memory.intAt(stubs + layout.field("StubQueue::_buffer_limit"));
    }

    /**
     * The innermost method outside of the downcall implementation, such as {@code app.Scanner.read}; null if none is
     * found.
     */
    @Nullable
    String of(long stack, long base) throws IOException {
        ByteBuffer words = memory.read(stack, (int) Math.min(DEEPEST_BYTES, Math.max(0, base - stack)));
        for (int at = Long.BYTES; at + Long.BYTES <= words.limit(); at += Long.BYTES) {
            long word = words.getLong(at);
            if (word >= lowBound && word < highBound) {
                String method = methodAt(word, words.getLong(at - Long.BYTES), stack, base);
                if (method != null && LIBRARY.stream().noneMatch(method::startsWith)) {
                    return method;
                }
            }
        }
        return null;
    }

    /** The method of a return address; null if the address is not in a method. */
    private @Nullable String methodAt(long code, long savedFrame, long stack, long base) {
        try {
            if (code >= interpreterFrom && code < interpreterTo) {
                boolean isFrame = savedFrame > stack && savedFrame < base;
                return isFrame ? name(memory.longAt(savedFrame + METHOD_IN_FRAME)) : null;
            }
            long blob = blob(code);
            boolean isMethod = blob != 0
                    && memory.textAt(memory.longAt(blob + layout.field("CodeBlob::_name")), 16)
                            .contains("nmethod");
            return isMethod ? name(memory.longAt(blob + layout.field("nmethod::_method"))) : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** The code blob of an address, by the segment maps of the code heaps; 0 if there is none. */
    private long blob(long code) throws IOException {
        int count = memory.intAt(heaps + layout.field("GrowableArrayBase::_len"));
        long data = memory.longAt(heaps + layout.field("GrowableArray<int>::_data"));
        for (int i = 0; i < count; i++) {
            long heap = memory.longAt(data + (long) i * Long.BYTES);
            long space = heap + layout.field("CodeHeap::_memory");
            long low = memory.longAt(space + layout.field("VirtualSpace::_low"));
            if (code >= low && code < memory.longAt(space + layout.field("VirtualSpace::_high"))) {
                return blob(heap, low, code);
            }
        }
        return 0;
    }

    private long blob(long heap, long low, long code) throws IOException {
        int log2 = memory.intAt(heap + layout.field("CodeHeap::_log2_segment_size"));
        long map = memory.longAt(heap + layout.field("CodeHeap::_segmap") + layout.field("VirtualSpace::_low"));
        long segment = (code - low) >> log2;
        for (int back = memory.byteAt(map + segment); back != 0; back = memory.byteAt(map + segment)) {
            if (back == FREE) {
                return 0;
            }
            segment -= back; // bounded by the start of the heap, in case the map is garbage
            if (segment < 0) {
                return 0;
            }
        }
        return low + (segment << log2) + layout.size("HeapBlock");
    }

    private @Nullable String name(long method) throws IOException {
        long constant = memory.longAt(method + layout.field("Method::_constMethod"));
        long pool = memory.longAt(constant + layout.field("ConstMethod::_constants"));
        int index = memory.shortAt(constant + layout.field("ConstMethod::_name_index"));
        long type = memory.longAt(pool + layout.field("ConstantPool::_pool_holder"));
        String name = text(memory.longAt(pool + layout.size("ConstantPool") + (long) index * Long.BYTES));
        String owner = text(memory.longAt(type + layout.field("Klass::_name")));
        return isName(name) && isName(owner) ? owner.replace('/', '.') + "." + name : null;
    }

    private String text(long symbol) throws IOException {
        int length = memory.shortAt(symbol + layout.field("Symbol::_length"));
        return memory.textAt(symbol + layout.field("Symbol::_body"), Math.min(length, LONGEST_NAME));
    }

    private static boolean isName(String text) {
        return !text.isEmpty() && text.chars().noneMatch(c -> Character.isISOControl(c) || c == '\uFFFD');
    }
}
