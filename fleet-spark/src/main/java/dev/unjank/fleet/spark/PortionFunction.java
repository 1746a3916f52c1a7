package dev.unjank.fleet.spark;

import dev.unjank.fleet.Portion;
import dev.unjank.fleet.Tally;
import dev.unjank.fleet.TraceTask;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
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
 */
final class PortionFunction extends AbstractFunction2<TaskContext, Iterator<List<RemoteFile>>, PortionFunction.Done>
        implements Serializable {
    private static final long serialVersionUID = 1;

    private final TraceTask task;
    private final String out;
    private final String run;

    /**
     * What a worker reports.
     *
     * @param part the name of the folder with the rows
     * @param tally what is in it
     */
    record Done(String part, Tally tally) implements Serializable {
        private static final long serialVersionUID = 1;

        /** Whether there is anything in it, and so a folder. */
        boolean hasPart() {
            return tally.traces() + tally.skipped() > 0;
        }
    }

    /** For a task, with where its rows go and a name for this run that no other has. */
    PortionFunction(TraceTask task, String out, String run) {
        this.task = task;
        this.out = out;
        this.run = run;
    }

    @Override
    public Done apply(TaskContext context, Iterator<List<RemoteFile>> partition) {
        Configuration configuration =
                SparkHadoopUtil.get().newConfiguration(SparkEnv.get().conf());
        String name = ".part-" + run + "-" + context.taskAttemptId();
        try {
            java.nio.file.Path scratch =
                    Files.createTempDirectory("unjank-fleet").toRealPath();
            try {
                Tally tally = Portion.run(
                        task,
                        partition.next().stream()
                                .map(file -> file.source(configuration))
                                .iterator(),
                        scratch,
                        name);
                Done done = new Done(name, tally);
                if (!done.hasPart()) {
                    return done;
                }
                Path there = new Path(out, name);
                FileSystem system = there.getFileSystem(configuration);
                system.setWriteChecksum(false); // Parquet has its own
                system.copyFromLocalFile(
                        true, true, new Path(scratch.resolve(name).toUri()), there);
                return done;
            } finally {
                delete(scratch.toFile());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // Spark tries again, perhaps elsewhere
        }
    }

    private static void delete(File file) {
        File[] inside = file.listFiles();
        if (inside != null) {
            for (File each : inside) {
                delete(each);
            }
        }
        boolean _ = file.delete();
    }
}
