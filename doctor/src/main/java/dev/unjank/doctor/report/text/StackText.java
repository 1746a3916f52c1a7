package dev.unjank.doctor.report.text;

import dev.unjank.doctor.find.code.CodeSiteFinder;
import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.report.CauseMessages;
import dev.unjank.doctor.report.Messages;
import java.util.ArrayList;
import java.util.List;

/** Writes a call stack in a few lines: runs of frames that are not the program's are folded into one. */
final class StackText {
    private final CodeSiteFinder sites;
    private final int most;

    /** Creates a writer of at most so many frames of the program; {@link Integer#MAX_VALUE} folds nothing. */
    StackText(CodeSiteFinder sites, int most) {
        this.sites = sites;
        this.most = most;
    }

    List<String> lines(CallStack stack) {
        List<String> lines = new ArrayList<>();
        List<CodeLocation> frames = stack.frames();
        int folded = 0;
        int shown = 0;
        for (int i = 0; i < frames.size(); i++) {
            CodeLocation frame = frames.get(i);
            if (shown == most) {
                lines.add(Messages.of("cause.moreFrames", frames.size() - i + folded));
                return lines;
            }
            if (i > 0 && most < Integer.MAX_VALUE && !sites.isApplication(frame)) {
                folded++;
                continue;
            }
            addFolded(folded, lines);
            folded = 0;
            lines.add(CauseMessages.frame(frame));
            shown++;
        }
        addFolded(folded, lines);
        return lines;
    }

    private static void addFolded(int folded, List<String> lines) {
        if (folded > 0) {
            lines.add(Messages.of("cause.libraryFrames", Messages.count("libraryFrame", folded)));
        }
    }
}
