#!/bin/sh
# Records each program of this folder, or the named ones, with Flight Recorder alone: NAME.jfr.gz beside it. Needs a JDK 25.
set -eu
cd "$(dirname "$0")"
programs=${*:-SlowJournal ExhaustedPool CollectorUnderLock SleepingHandler BusyPool PinnedThreads Deadlock}
for program in $programs; do
    java -Djava.awt.headless=false -Djdk.virtualThreadScheduler.parallelism=4 -Xmx600m -XX:+UseSerialGC \
        -XX:StartFlightRecording:settings=profile,filename="$program.jfr" -Xlog:jfr*=off "$program.java"
    java -cp . ShrinkRecording.java "$program.jfr" 2>/dev/null || true
    gzip -9 -f "$program.jfr"
done
