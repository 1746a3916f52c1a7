package dev.unjank.looper.linux;

import dev.unjank.looper.Looper;
import dev.unjank.looper.LooperOptions;
import java.util.ArrayList;
import java.util.List;

/** A program that prints the waker of a looper, or why it has none. */
final class WakerNameProgram {
    private WakerNameProgram() {}

    public static void main(String[] args) {
        List<String> lines = new ArrayList<>();
        try {
            Looper.create(LooperOptions.defaults()).dump(lines::add, "");
            System.out.println(lines.get(lines.size() - 1).replaceAll(".*(waker=\\w+).*", "$1"));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
