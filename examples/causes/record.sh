#!/bin/sh
# Records each program of this folder, or the named ones, with Flight Recorder alone: NAME.jfr.gz beside it.
# Needs a JDK 25.
# Events that describe the machine are removed.
set -eu
cd "$(dirname "$0")"
events=jdk.ThreadPark,jdk.JavaMonitorEnter,jdk.JavaMonitorWait,jdk.ThreadSleep,jdk.ExecutionSample,jdk.GarbageCollection
events=$events,jdk.GCPhasePause*,jdk.Safepoint*,jdk.ExecuteVMOperation,jdk.SystemGC,jdk.VirtualThreadPinned
events=$events,jdk.ActiveSetting,jdk.ThreadDump,jdk.SocketRead
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
javac -d "$classes" ./*.java
all="SlowJournal ExhaustedPool CollectorUnderLock SleepingHandler BusyPool PinnedThreads Deadlock"
all="$all SlowSocket LongHandler"
for program in ${*:-$all}; do
    java -cp "$classes" -Djava.awt.headless=true -Djdk.virtualThreadScheduler.parallelism=4 -Xmx600m -XX:+UseSerialGC \
        -XX:StartFlightRecording:settings=profile,thread-dump=1s,filename="$classes/all.jfr" -Xlog:jfr*=off "$program"
    rm -f "$classes/kept.jfr"
    jfr scrub --include-events "$events" "$classes/all.jfr" "$classes/kept.jfr"
    gzip -9 -n -c "$classes/kept.jfr" > "$program.jfr.gz"
done
