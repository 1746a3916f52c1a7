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
 * What a worker does with the traces of a partition: asks them, and leaves their rows as a part under a name of this attempt's own.
 * Nobody sees it there; of the attempts that Spark makes, one at a time or two at once, the driver renames that of which it hears first.
 *
 * <p>An attempt that cannot read a file fails, and Spark makes another one, perhaps on another machine. The last one that it would make
 * does not fail by that, which would end the run: then the file is the failure.
 */
final class PartitionFunction extends AbstractFunction2<TaskContext, Iterator<List<RemoteFile>>, PartitionFunction.Done>
        implements Serializable {
    private static final long serialVersionUID = 1;

    private final TraceTask task;
    private final String out;
    private final String run;
    private final int attempts;

    /**
     * What a worker reports.
     *
     * @param part the name of the folder with the rows
     * @param tally what is in it
     * @param isStuck whether some traces were not asked, since too many others on this worker did not end
     */
    record Done(String part, RunTotals tally, boolean isStuck) implements Serializable {
        private static final long serialVersionUID = 1;

        /** Whether there is anything in it, and so a folder. */
        boolean hasPart() {
            return tally.traces() + tally.skipped() > 0;
        }
    }

    /** For a task, with where its rows go, a name for this run that no other has, and how often an attempt may fail. */
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
                system.setWriteChecksum(false); // Parquet has its own
                system.copyFromLocalFile(
                        true, true, new Path(scratch.folder().resolve(name).toUri()), there);
            }
            return done;
        } catch (IOException e) {
            throw new UncheckedIOException(e); // Spark tries again, perhaps elsewhere
        }
    }
}
