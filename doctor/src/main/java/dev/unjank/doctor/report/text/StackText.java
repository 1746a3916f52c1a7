package dev.unjank.doctor.report.text;

import dev.unjank.doctor.find.code.CodeSiteFinder;
import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.report.CauseMessages;
import dev.unjank.doctor.report.Messages;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a call stack in a few lines: the innermost frame, then frames of the program. A mark is before a frame that
 * called a library whose frames are left out.
 */
final class StackText {
    private final CodeSiteFinder sites;
    private final int most;
    private int leftOut;

    /** Creates a writer of at most so many frames of the program; {@link Integer#MAX_VALUE} leaves out nothing. */
    StackText(CodeSiteFinder sites, int most) {
        this.sites = sites;
        this.most = most;
    }

    List<String> lines(CallStack stack) {
        List<String> lines = new ArrayList<>();
        boolean isAfterLibrary = false;
        for (int i = 0; i < stack.frames().size(); i++) {
            CodeLocation frame = stack.frames().get(i);
            boolean isShown = most == Integer.MAX_VALUE || i == 0 || sites.isApplication(frame);
            if (isShown && lines.size() < most) {
                String line = CauseMessages.frame(frame);
                lines.add(isAfterLibrary ? Messages.of("cause.callerOfLibrary", line) : line);
            } else {
                leftOut++;
            }
            isAfterLibrary = !isShown;
        }
        return lines;
    }

    /** The number of frames that no line shows, of all stacks. */
    int leftOut() {
        return leftOut;
    }
}
