package dev.unjank.fleet.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fleet.task.ResultColumn;
import dev.unjank.fleet.task.ResultTable;
import dev.unjank.fleet.task.TraceResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultQueueTest {

    private static TraceResult outcome(String trace, int rows) {
        List<Object[]> all = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            all.add(new Object[] {(long) i});
        }
        return new TraceResult(
                trace, 1, List.of(new ResultTable("result", List.of(ResultColumn.number("n")), all)), null, false);
    }

    @Test
    void thereIsRoomForSoManyRowsAndForOneOutcomeOfAnySize() throws Exception {
        ResultQueue queue = new ResultQueue(10);
        queue.put(outcome("large", 100));
        Thread second = Thread.ofPlatform().start(() -> {
            try {
                queue.put(outcome("second", 1));
                queue.put(outcome("third", 9));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        while (second.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        assertThat(queue.poll(0)).extracting(TraceResult::trace).isEqualTo("large");
        second.join();
        assertThat(queue.poll(0)).extracting(TraceResult::trace).isEqualTo("second");
        assertThat(queue.poll(0)).extracting(TraceResult::trace).isEqualTo("third");
        assertThat(queue.poll(1)).isNull();
    }
}
