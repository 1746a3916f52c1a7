package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.cause.WaiterGroup;
import dev.unjank.trace.collections.LongOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Groups the incidents of a diagnosis by the waiters' process and {@linkplain ThreadGroupName group}. */
public final class WaiterGroupFinder {
    private WaiterGroupFinder() {}

    private record Key(Object process, String name) {}

    /** {@return the groups of waiters, the highest cost first, then the longest total wait} */
    public static List<WaiterGroup> of(Diagnosis diagnosis) {
        Map<Key, List<Incident>> groups = new LinkedHashMap<>();
        for (Incident incident : diagnosis.incidents()) {
            ThreadRef waiter = incident.rootWait().thread();
            Object process = waiter.process() == null ? waiter.upid() : waiter.process();
            groups.computeIfAbsent(new Key(process, ThreadGroupName.of(waiter)), _ -> new ArrayList<>())
                    .add(incident);
        }
        CostMeasures costs = new CostMeasures(diagnosis, diagnosis.incidents());
        List<WaiterGroup> sorted = new ArrayList<>();
        groups.values().forEach(incidents -> sorted.add(group(incidents, costs)));
        sorted.sort(LongOrder.<WaiterGroup>descending(WaiterGroup::costNs)
                .thenComparing(LongOrder.descending(WaiterGroup::totalNs)));
        return sorted;
    }

    private static WaiterGroup group(List<Incident> incidents, CostMeasures costs) {
        ThreadTotals threads = new ThreadTotals();
        incidents.forEach(incident ->
                threads.add(incident.rootWait().thread(), incident.rootWait().durNs()));
        return new WaiterGroup(
                threads.group(),
                incidents.stream().map(Incident::id).sorted().toList(),
                threads.ns(),
                costs.of(incidents));
    }
}
