package dev.unjank.fleet.spark;

import dev.unjank.fleet.folder.CompletedTraces;
import dev.unjank.fleet.label.LabelFile;
import dev.unjank.fleet.run.LocalRun;
import dev.unjank.fleet.run.PartitionRun;
import dev.unjank.fleet.run.RunTotals;
import dev.unjank.fleet.task.TraceTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Runs a task on all traces of a fleet on a Spark cluster. A partition contains a few dozen traces. A worker writes
 * their rows to a temporary folder, which the driver renames to a part when the partition is finished. Spark retries
 * lost partitions; if two attempts finish, the driver uses only one. So the rows equal those of {@link LocalRun}, even
 * after failures of workers.
 */
public final class SparkRun {
    private static final long BYTES_IN_PART = 256L << 20;

    /** The attempts per task in {@code local[N,F]}; {@code local[N]} has one. */
    private static final Pattern LOCAL_ATTEMPTS = Pattern.compile("local\\[[^,]*,\\s*([0-9]+)\\s*]");

    private final RemoteFolder folder;
    private RunTotals tally;
    private boolean isStuck;

    /** A failure of the driver. */
    private @Nullable IOException failure;

    private SparkRun(RemoteFolder folder, RunTotals before) {
        this.folder = folder;
        tally = before;
    }

    /**
     * Runs until all traces are processed.
     *
     * @param inputs files, folders and patterns
     * @throws IOException if inputs cannot be listed, rows cannot be written, or too many traces are stuck
     */
    public static RunTotals run(
            JavaSparkContext spark, TraceTask task, List<String> inputs, String out, boolean resume, int tracesInPart)
            throws IOException {
        Configuration configuration = spark.hadoopConfiguration();
        List<RemoteFile> files = RemoteInputs.list(inputs, configuration);
        try (RemoteFolder folder = RemoteFolder.open(out, task, resume, configuration)) {
            SparkRun run = new SparkRun(folder, leaveOut(folder.known(), files, task.labels()));
            if (!files.isEmpty()) {
                run.run(spark, task, partitions(files, tracesInPart));
            }
            return run.tally;
        }
    }

    /**
     * Skips the traces that earlier runs have finished. Archives are not skipped, since an earlier run may have
     * finished only some of their traces.
     */
    private static RunTotals leaveOut(CompletedTraces known, List<RemoteFile> files, LabelFile labels) {
        files.removeIf(file -> !PartitionRun.isArchive(file.name())
                && (known.asked().contains(file.name()) || known.skipped().contains(file.name())));
        files.replaceAll(file -> PartitionRun.isArchive(file.name()) ? file.without(known.within(file.name())) : file);
        RunTotals before = RunTotals.NOTHING;
        for (String name : known.asked()) {
            before = before.plusBefore(name, labels);
        }
        return before;
    }

    private void run(JavaSparkContext spark, TraceTask task, List<List<RemoteFile>> partitions) throws IOException {
        JavaRDD<List<RemoteFile>> all = spark.parallelize(partitions, partitions.size());
        String name = spark.sc().applicationId() + "-" + System.currentTimeMillis();
        try {
            spark.sc()
                    .runJob(
                            all.rdd(),
                            new PartitionFunction(task, folder.uri(), name, attempts(spark)),
                            new Collector(),
                            ClassTag$.MODULE$.apply(PartitionFunction.Done.class));
        } catch (Exception e) {
            if (failure != null) {
                throw failure; // the cause, which Spark has wrapped
            }
            throw e;
        } finally {
            folder.clearUp();
        }
        if (isStuck) {
            throw new IOException(LocalRun.STUCK);
        }
    }

    /** The number of attempts per task. */
    static int attempts(JavaSparkContext spark) {
        if (spark.isLocal()) {
            Matcher local = LOCAL_ATTEMPTS.matcher(spark.master());
            return local.matches() ? Integer.parseInt(local.group(1)) : 1;
        }
        return spark.getConf().getInt("spark.task.maxFailures", 4);
    }

    /** A listener that is called once per finished partition, by one thread at a time. */
    private final class Collector extends AbstractFunction2<Object, PartitionFunction.Done, BoxedUnit> {
        @Override
        public BoxedUnit apply(Object partition, PartitionFunction.Done done) {
            try {
                if (done.hasPart()) {
                    folder.add(done);
                }
            } catch (IOException e) {
                failure = e;
                throw new UncheckedIOException(e);
            }
            tally = tally.plus(done.tally());
            isStuck |= done.isStuck();
            return BoxedUnit.UNIT;
        }
    }

    /** Partitions of at most {@code most} files and 256 MiB. */
    static List<List<RemoteFile>> partitions(List<RemoteFile> files, int most) {
        List<List<RemoteFile>> partitions = new ArrayList<>();
        List<RemoteFile> partition = new ArrayList<>();
        long size = 0;
        for (RemoteFile file : files) {
            if (!partition.isEmpty() && (partition.size() == most || size + file.bytes() > BYTES_IN_PART)) {
                partitions.add(partition);
                partition = new ArrayList<>();
                size = 0;
            }
            partition.add(file);
            size += file.bytes();
        }
        if (!partition.isEmpty()) {
            partitions.add(partition);
        }
        return partitions;
    }
}
