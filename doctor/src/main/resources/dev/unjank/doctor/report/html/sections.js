// Sections on the trace as a whole.

/** All in a few numbers, the verdicts that were given, and what to do about each. */
function summary(report) {
  const { verdict, dur } = report.incidents;
  const sums = new Map();
  verdict.forEach((index, row) => {
    const sum = sums.get(index) ?? { times: 0, total: 0, longest: 0 };
    sums.set(index, { times: sum.times + 1, total: sum.total + dur[row], longest: Math.max(sum.longest, dur[row]) });
  });
  const given = [...sums].sort(([, a], [, b]) => b.total - a.total);
  const length = column(given.map(([, { longest }]) => longest));
  return [
    element("h2", null, foreign(report.summarized)),
    facts(report.summary, report.framesName),
    ...given.length === 0 ? [] : [element("h2", null, message("page.verdicts")), table(heads("verdict", "incidents", "inAll", "longest"), given.map(([index, { times, total, longest }]) => {
      const name = report.text(index);
      return [badge(name, name), times.toLocaleString("en"), length(total), length(longest)];
    }))],
    ...blockedTime(report),
    ...locks(report),
    ...report.advised.length === 0 && !report.ownWork ? [] : [element("h2", null, message("page.next.steps"))],
    ...report.ownWork ? [element("section", null, element("h3", null, message("page.ownWork")), advice([report.ownWork]))] : [],
    ...report.advised.map(name =>
      element("section", null, element("h3", null, badge(name, name)), advice(report.verdicts[name].steps))),
    query(report.command, report.query),
  ];
}

/** The waits of all threads by kind, whether or not in incidents; idle time has no share. */
function blockedTime(report) {
  const parts = groups(report.blockedTime, 4);
  if (parts.length === 0) return [];
  const length = column(parts.map(([, , ns]) => ns));
  const busy = parts.reduce((sum, [, , ns, idle]) => sum + (idle ? 0 : ns), 0);
  return [
    element("h2", null, message("label.blockedTime")),
    table(heads("kind", "threads", "inAll", "shareOfBlocked"), parts.map(([kind, threads, ns, idle]) =>
      [report.text(kind), threads.toLocaleString("en"), length(ns), idle ? message("page.notRanked") : percent(ns, busy)])),
  ];
}

/** For what several of the incidents waited. */
function locks(report) {
  const all = groups(report.locks, 5);
  if (all.length === 0) return [];
  const length = column(all.map(([, , , longest]) => longest));
  return [
    element("h2", null, message("page.locks")),
    report.locksLeft > 0 ? element("p", { class: "note" }, message("page.firstOf", all.length, report.locksLeft)) : null,
    table(heads("lock", "waits", "inAll", "atMost"), all.map(([lock, waits, total, longest, holder]) => [
      element("div", { class: "lock" }, foreignPath(report.text(lock)), element("div", { class: "dim" }, foreign(report.text(holder)))),
      waits.toLocaleString("en"), length(total), length(longest)])),
  ];
}

/** As published comparisons of message queues give them. */
function facts(summary, framesName) {
  const { lockWaits, lockWaitNs, longestLockWaitNs, monitorWaits, monitorWaitNs, inversions } = summary;
  const { frames, missedFrames, displayFrames, missedDisplayFrames } = summary;
  const [short, middle, long, longest] = inversions ?? [];
  const all = [
    [message("page.lockWaits"), lockWaits === 0 ? message("page.lockWaits.never")
      : message("page.lockWaits.time", time(lockWaitNs), count(lockWaits, "wait"), time(longestLockWaitNs))],
    ...(monitorWaits === lockWaits ? [] : [[message("page.monitorWaits"), monitorWaits === 0 ? message("page.monitorWaits.none")
      : message("page.monitorWaits.time", time(monitorWaitNs), count(monitorWaits, "wait"))]]),
    [message("page.inversions"), inversions === null ? message("page.inversions.notRecorded")
      : longest === 0 ? message("page.inversions.none")
      : message("page.inversions.times", short, middle, long, time(longest))],
    [framesName, missed(missedFrames, frames)],
  ];
  if (displayFrames > 0) all.push([message("page.displayFrames"), missed(missedDisplayFrames, displayFrames)]);
  return element("dl", { class: "facts" }, ...all.flatMap(([name, value]) =>
    [element("dt", null, name), element("dd", null, value)]));
}

function missed(number, all) {
  return all === 0 ? message("page.noFrames") : message("nothing.frames", number.toLocaleString("en"), all.toLocaleString("en"));
}

/** The missed frames, each with the incidents that took its time. */
function frames(report, choose) {
  const causes = costs => {
    const list = element("ul", { class: "causes" });
    const all = groups(costs, 3);
    const length = column(all.map(([, cost]) => cost));
    for (const [row, cost, verdict] of all) {
      const name = report.text(verdict);
      const what = [element("b", null, length(cost)), " ", badge(name, name), " "];
      list.append(element("li", null, row < 0
        ? element("span", { class: "cause" }, ...what, element("span", { class: "dim" }, message("page.notListed")))
        : element("button", { type: "button", class: "cause", onclick: () => choose(row) }, ...what, ...whoByWhom(report, row).flat())));
    }
    return list.childElementCount > 0 ? list : element("span", { class: "dim" }, message("page.noIncident"));
  };
  return [
    element("h2", null, message(report.isLooper ? "page.looperMessages" : "page.frames")),
    report.framesLeft > 0 ? element("p", { class: "note" }, message("page.firstOf", report.frames.length, report.framesLeft)) : null,
    report.isLooper ? null : element("p", { class: "note" }, message("page.frameStart")),
    ...causesOfMissedFrames(report),
    ...report.frames.map(frame => element("section", { class: "frame" },
      element("h3", null,
        frame.missed
          ? element("span", { class: "missed" }, message(frame.missedBy > 0 ? "page.frame.missedBy" : "page.frame.missed", time(frame.missedBy)))
          : message("page.inTime"),
        element("span", { class: "dim" }, message("page.frame.took", time(frame.dur), report.moment(frame.at)))),
      element("div", null, foreign(report.text(frame.process), { class: "name" }), " ", foreign(report.text(frame.name), { class: "dim" })),
      element("div", { class: "dim" }, [frame.jank, frame.presented].filter(words => words >= 0).map(words => report.text(words)).join(", ")),
      causes(frame.costs))),
  ];
}

/** How many of the missed frames each verdict explains: that of the incident which took most of the frame's time, whatever was asked for. */
function causesOfMissedFrames(report) {
  const counts = new Map(); // of programs, and of the display itself
  for (const { missed, cause, display } of report.frames) {
    if (!missed) continue;
    const both = counts.get(cause) ?? [0, 0];
    both[display ? 1 : 0] += 1;
    counts.set(cause, both);
  }
  if (counts.size === 0) return [];
  const columns = report.summary.displayFrames > 0 ? ["ofPrograms", "ofDisplay"] : ["howMany"];
  return [table([message("page.whyMissed", report.framesName), ...heads(...columns)],
    [...counts].sort(([, a], [, b]) => b[0] - a[0] || b[1] - a[1]).map(([cause, both]) => [
      cause < 0 ? message("frames.noWait") : badge(report.text(cause), report.text(cause)),
      ...both.slice(0, columns.length).map(times => times.toLocaleString("en"))]))];
}

/** The parts of each app startup until the first frame. */
function startups(report) {
  const fills = {
    RUNNING: "running", RUNNABLE: "ready", LOCK: "blocked", BINDER: "other", GC: "gc", IO: "io", SLEEPING: "sleeping",
  };
  return report.startups.flatMap(({ app, type, at, length: words, untilDrawn, shares }) => {
    const parts = groups(shares, 4).map(([cause, name, verdict, ns]) =>
      ({ name: report.text(name), fill: fills[report.text(cause)] ?? "unknown", verdict, ns }));
    const length = column(parts.map(({ ns }) => ns));
    const bar = element("div", { class: "stack", "aria-hidden": true }, ...parts.map(({ name, fill, ns }) => {
      const piece = element("i", { class: "fill-" + fill, title: `${name} ${time(ns)}` });
      piece.style.flexGrow = ns;
      return piece;
    }));
    return [
      element("h2", null, foreign(report.text(app)), element("small", null, message(type < 0 ? "page.startupAt" : "page.startupOfTypeAt", report.moment(at), report.text(type)))),
      element("p", null, report.text(words)),
      bar,
      table(heads("mainThread", "time", "share"), parts.map(({ name, fill, verdict, ns }) => [
        element("span", null, element("i", { class: "dot fill-" + fill }), name, " ",
          verdict < 0 ? "" : badge(report.text(verdict), report.text(verdict))),
        length(ns), percent(ns, untilDrawn)])),
    ];
  });
}

/** Messages as heads of columns. */
function heads(...keys) {
  return keys.map(key => message("page.head." + key));
}

/** A table whose first column is text and whose others are numbers. */
function table(heads, rows) {
  const kind = index => index === 0 ? null : "number";
  return element("div", { class: "scroll" }, element("table", null,
    element("thead", null, element("tr", null,
      ...heads.map((head, index) => element("th", { scope: "col", class: kind(index) }, head)))),
    element("tbody", null, ...rows.map(cells => element("tr", null,
      ...cells.map((cell, index) => element("td", { class: kind(index) }, cell)))))));
}

function warnings(report) {
  const all = [...report.warnings];
  if (report.left > 0) all.push(message("page.leftOut", count(report.left, "other")));
  if (all.length === 0) return [];
  const words = count(all.length, "warning");
  return [element("details", { class: "warnings", open: all.length <= 3, "aria-label": words },
    element("summary", null, words),
    element("ul", null, ...all.map(text => element("li", null, foreign(text)))))];
}
