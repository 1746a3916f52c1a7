package dev.unjank.doctor.report.html;

import dev.unjank.doctor.find.code.CodeSiteFinder;
import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.report.CauseMessages;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Call stacks as the calls of one tree, so that calls that several stacks begin with are written once. A stack is the
 * number of its innermost call.
 */
final class StackPool {
    private final CodeSiteFinder sites;
    private final ValuePool<Call> calls = new ValuePool<>();

    /** Creates a pool; {@code app} is the prefix of the program's class names, null to guess. */
    StackPool(@Nullable String app) {
        this.sites = new CodeSiteFinder(app);
    }

    /** A method called by another call, {@value PagePools#NONE} for the outermost. */
    private record Call(int caller, CodeLocation method) {}

    /** {@return the number of a stack, {@value PagePools#NONE} for an empty one} */
    int number(CallStack stack) {
        int caller = PagePools.NONE;
        for (CodeLocation method : stack.frames().reversed()) {
            caller = calls.number(new Call(caller, method));
        }
        return caller;
    }

    /** Writes per call: its caller, its method, and whether that is the program's. */
    void writeTo(JsonGenerator json, PagePools pools) throws IOException {
        json.writeArrayPropertyStart("calls");
        List<Call> all = calls.values();
        for (Call call : all) {
            PagePools.numbers(
                    json,
                    call.caller(),
                    pools.prose(CauseMessages.frame(call.method())),
                    sites.isApplication(call.method()) ? 1 : 0);
        }
        json.writeEndArray();
    }
}
