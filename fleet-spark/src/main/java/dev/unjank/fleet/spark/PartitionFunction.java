package dev.unjank.fleet.spark;

import dev.unjank.fleet.run.PartitionRun;
import dev.unjank.fleet.run.RunTotals;
import dev.unjank.fleet.task.TraceTask;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.deploy.SparkHadoopUtil;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;

/**
 * Processes a partition on a worker, and writes its rows as a part whose temporary name is unique to this attempt;
 * readers ignore such names. If several attempts finish, the driver renames the output of the first.
 *
 * <p>An attempt that cannot read a file fails, and Spark retries it, perhaps on another machine. A failure of the last
 * attempt would end the run, so that attempt lists the file as a failure and continues.
 */
final class PartitionFunction extends AbstractFunction2<TaskContext, Iterator<List<RemoteFile>>, PartitionFunction.Done>
        implements Serializable {
    private static final long serialVersionUID = 1;

    private final TraceTask task;
    private final String out;
    private final String run;
    private final int attempts;

    /**
     * The result of a partition.
     *
     * @param part the name of the folder with the rows
     * @param isStuck whether traces were not processed because this worker could not stop the work on too many others
     */
    record Done(String part, RunTotals tally, boolean isStuck) implements Serializable {
        private static final long serialVersionUID = 1;

        /** Whether the partition has rows and therefore a folder. */
        boolean hasPart() {
            return tally.traces() + tally.skipped() > 0;
        }
    }

    /** Creates the function with the output folder, a unique name of the run, and the number of attempts. */
    PartitionFunction(TraceTask task, String out, String run, int attempts) {
        this.task = task;
        this.out = out;
        this.run = run;
        this.attempts = attempts;
    }

    @Override
    public Done apply(TaskContext context, Iterator<List<RemoteFile>> partition) {
        Configuration configuration =
                SparkHadoopUtil.get().newConfiguration(SparkEnv.get().conf());
        String name = ".part-" + run + "-" + context.taskAttemptId();
        try (ScratchFolder scratch = ScratchFolder.make()) {
            PartitionRun.Result result = PartitionRun.run(
                    task,
                    partition.next().stream()
                            .map(file -> file.source(configuration))
                            .iterator(),
                    scratch.folder(),
                    name,
                    context.attemptNumber() + 1 >= attempts);
            Done done = new Done(name, result.tally(), result.isStuck());
            if (done.hasPart()) {
                Path there = new Path(out, name);
                FileSystem system = there.getFileSystem(configuration);
                system.setWriteChecksum(false); // Parquet has checksums
                system.copyFromLocalFile(
                        true, true, new Path(scratch.folder().resolve(name).toUri()), there);
            }
            return done;
        } catch (IOException e) {
            throw new UncheckedIOException(e); // Spark retries
        }
    }
}
