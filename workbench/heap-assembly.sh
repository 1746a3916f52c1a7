#!/bin/sh
# Disassembles what the compiler makes of siftDown in one variant of the heap: workbench/heap-assembly.sh Word
# Needs objdump and xxd; the JVM prints machine code in hex without any plug-in. Build first: ./mvnw -q -pl workbench -am test-compile
set -eu
root=$(dirname "$(readlink -f "$0")")/..
. "$root/.mvn/find-jdk.sh"
code=$(mktemp)
trap 'rm -f "$code"' EXIT
"$JAVA_HOME/bin/java" -XX:+UnlockDiagnosticVMOptions -XX:-UseOnStackReplacement \
  -XX:CompileCommand=print,dev.unjank.workbench.bench.heap.HeapTemplate::siftDown \
  -cp "$root/workbench/target/test-classes" dev.unjank.workbench.bench.heap.HeapStudy 2 remove "$1" |
  awk '/Compiled method \(c2\)/ { code = ""; on = 1 }
    /Compiled method \(c1\)/ { on = 0 }
    on && /^ *0x[0-9a-f]+: / { sub(/^ *0x[0-9a-f]+: */, ""); gsub(/[| ]/, ""); if (/^[0-9a-f]+$/) code = code $0 "\n" }
    END { printf "%s", code }' | xxd -r -p >"$code"
objdump -D -b binary -m i386:x86-64 -M intel --no-show-raw-insn "$code"
