package dev.unjank.cli;

/** The process that a command is to look at. */
final class OtherProcess {
    private OtherProcess() {}

    /**
     * Finds it.
     *
     * @throws UserError if there is none of this number, or it is the command's own
     */
    static ProcessHandle of(long pid) {
        if (pid == ProcessHandle.current().pid()) {
            throw new UserError("process " + pid + " is this recorder; name another one");
        }
        return ProcessHandle.of(pid)
                .orElseThrow(() -> new UserError("there is no process " + pid + "; jcmd lists Java processes"));
    }
}
