// All that is said of one incident.

/** The fills that the legend explains, in its order. */
const LEGEND = [
  "blocked", "free", "running", "ready", "sleeping", "io", "kernel", "stopped", "stopping", "gc", "worse", "other", "missed",
];

class Details {
  constructor(report, place) {
    this.report = report;
    this.place = place;
    this.view = null;
  }

  /** Shows an incident; the buttons lead to the list and to the incidents before and after it there. */
  show(row, { number, back, before, after }) {
    this.view?.close();
    this.view = null;
    const { report } = this;
    const column = report.incidents;
    const verdict = report.verdict(row);
    const rank = report.causeOf[row] + 1;
    const parts = [
      element("div", { class: "steps" },
        element("button", { type: "button", class: "back", onclick: back }, message("page.allIncidents")),
        element("button", { type: "button", onclick: before, disabled: before === null }, message("page.previous")),
        element("button", { type: "button", onclick: after, disabled: after === null }, message("page.next"))),
      element("h2", null,
        badge(report.text(column.title[row]), verdict.name), " ",
        element("span", { class: "length" }, time(column.dur[row])),
        column.unfinished[row] ? message("page.unfinished") : "", " ",
        element("small", null, message("page.incidentAt", number, report.moment(column.at[row])), ", ",
          element("a", { href: "#cause-" + rank }, message("page.ofCause", rank)))),
      this.who(row),
      element("p", { class: "story" }, foreign(report.text(column.story[row]))),
      this.frames(row),
      this.timeline(row),
      element("div", { class: "tables" }, this.states(row), this.preemptedBy(row)),
      element("h3", null, message("page.why")),
      element("p", null, foreign(report.text(column.why[row]))),
      element("p", { class: "dim" }, message("page.evidence", report.text(column.evidence[row]))),
      column.lost[row] < 0 ? null : element("p", { class: "lost" }, report.text(column.lost[row])),
      element("h3", null, message("page.next.steps")),
      advice(report.advice[column.advice[row]]),
      query(report.command, this.filledIn(verdict.query, row)),
    ];
    this.place.replaceChildren(...parts.filter(part => part !== null));
  }

  who(row) {
    const { report } = this;
    const column = report.incidents;
    const list = element("dl", { class: "who" });
    const add = (role, thread, priority, place) => list.append(
      element("dt", null, role),
      element("dd", null,
        foreign(report.thread(thread).name, { class: "name" }), " ",
        foreign(report.identity(thread, priority), { class: "dim" }), place));
    const lock = report.text(column.lock[row]);
    const place = element("div", null, site(report.text(column.site[row]), report.text(column.source[row]), lock));
    if (column.site[row] >= 0 && /^a (monitor|lock) of /.test(lock)) place.append(element("div", { class: "site" }, ...phrase("text.for", foreign(lock))));
    add(message("page.role.BLOCKED"), column.thread[row], column.priority[row], place);
    const others = report.chain(row).filter((link, index) =>
      (index > 0 || link.thread !== column.thread[row]) && report.thread(link.thread).name !== "");
    others.forEach((link, index) => add(message(index === 0 ? "page.role.by" : "page.role.behind"), link.thread, link.priority,
      element("div", null, site(link.site, link.source, ""),
        index === 0 ? null : element("div", { class: "dim" }, ...phrase("text.forTime", time(link.dur), foreign(link.wanted))))));
    return list;
  }

  timeline(row) {
    if (this.report.drawing(row) === null) {
      return element("p", { class: "note" },
        message("page.noDrawing"));
    }
    const pointed = element("p", { class: "pointed", role: "status" });
    const scene = new Scene(this.report, row);
    const hint = message(matchMedia("(pointer: coarse)").matches ? "page.hint.touch" : "page.hint.pointer");
    const describe = item => pointed.replaceChildren(item === null
      ? element("span", { class: "dim" }, hint)
      : message("page.pointed", item.about, time(item.to - item.from), since(item.from, scene.start), since(item.to, scene.start)));
    const view = this.view = new TimelineView(scene, describe);
    describe(null);
    const button = (label, title, action) =>
      element("button", { type: "button", title, "aria-label": title, onclick: action }, label);
    const fills = new Set(scene.rows.flatMap(line => line.items.map(item => item.fill)));
    return element("figure", { class: "drawing" },
      element("div", { class: "above" },
        pointed,
        element("div", { class: "tools", role: "toolbar", "aria-label": message("page.timeline") },
          button("−", message("page.zoomOut"), () => view.zoomAt(ZOOM_STEP)),
          button("+", message("page.zoomIn"), () => view.zoomAt(1 / ZOOM_STEP)),
          button("‹", message("page.earlier"), () => view.pan(-view.width / 4)),
          button("›", message("page.later"), () => view.pan(view.width / 4)),
          button(message("page.all"), message("page.showAll"), () => view.showAll()))),
      view.canvas,
      element("figcaption", { class: "legend" },
        ...LEGEND.filter(fill => fills.has(fill)).map(fill =>
          element("span", null, element("i", { class: "fill-" + fill }), message("page.legend." + fill, this.report.frame))),
        scene.hasPriorities ? element("span", { class: "priorities" }, message("page.priorities")) : null));
  }

  /** The frames that the incident cost time. */
  frames(row) {
    const costs = this.report.costs(row);
    if (costs.length === 0) return null;
    return element("p", null, message("page.cost"), ...costs.flatMap(({ cost, dur, missedBy, missed }, index) => [
      index === 0 ? "" : ", ",
      ...phrase("page.costOf", element("b", null, time(cost)), this.report.frame, time(dur)),
      missed ? element("span", { class: "missed" }, message(missedBy > 0 ? "page.missedBy" : "page.wasMissed", time(missedBy))) : "",
    ]), ".");
  }

  /** The states of the owners, a bar for each state. */
  states(row) {
    const { report } = this;
    const whole = report.incidents.dur[row];
    const states = report.ownerStates(row);
    if (states.every(({ state }) => report.text(state) === "UNKNOWN")) return null; // the story has said so
    const caption = message(report.incidents.owner[row] < 0 ? "page.ownStates" : "page.ownerStates");
    return statesTable(report, caption, states, whole);
  }

  preemptedBy(row) {
    const { report } = this;
    const threads = report.ranMeanwhile(row);
    if (threads.length === 0) return null;
    const length = column(threads.map(({ ran }) => ran));
    const waiting = report.incidents.priority[row];
    const rank = priority => !report.known(priority) || !report.known(waiting) ? ""
      : priority > waiting ? "worse" : priority === waiting ? "equal" : "better";
    return element("table", { class: "preemptedBy" },
      element("caption", null, message("page.preemptedBy", report.text(report.incidents.cpus[row])),
        report.known(waiting) ? element("span", { class: "dim" }, message("page.whileWaited", waiting)) : null),
      element("thead", null, element("tr", null,
        element("th", { scope: "col" }, message("page.thread")),
        element("th", { scope: "col" }, message("text.priority")),
        element("th", { scope: "col", class: "number" }, message("text.time")))),
      element("tbody", null, ...threads.map(({ thread, priority, ran }) => {
        const { name, process, main } = report.thread(thread);
        return element("tr", null,
          element("td", null, foreignPath(name), process && !main ? element("span", { class: "dim" }, ...phrase("page.inProcess", foreignPath(process))) : null),
          element("td", { class: "rank " + rank(priority) }, report.known(priority) ? priority : "?",
            rank(priority) === "" ? "" : " " + message("page.rank." + rank(priority))),
          element("td", { class: "number" }, length(ran)));
      })));
  }

  /** The placeholders of the query stand for numbers, so no name from the trace gets into it. */
  filledIn(template, row) {
    const { report } = this;
    const column = report.incidents;
    const values = {
      waiter: report.thread(column.thread[row]).tid,
      responsible: report.thread(column.responsible[row]).tid,
      from: BigInt(report.start) + BigInt(column.at[row]),
      to: BigInt(report.start) + BigInt(column.at[row] + column.dur[row]),
    };
    return template.replace(/\{(\w+)\}/g, (_, key) => values[key]);
  }
}

/** How long each state lasted, with a bar. */
function statesTable(report, caption, states, whole) {
  const length = column(states.map(({ dur }) => dur));
  return element("table", { class: "states" },
    element("caption", null, caption),
    element("tbody", null, ...states.map(({ state, dur }) => {
      const bar = element("i", { class: "bar fill-" + report.stateFill(state) });
      bar.style.width = 100 * dur / Math.max(1, whole) + "%";
      return element("tr", null,
        element("th", { scope: "row" }, report.stateLabel(state)),
        element("td", { class: "bars" }, bar),
        element("td", { class: "number" }, length(dur)),
        element("td", { class: "number dim" }, percent(dur, whole)));
    })));
}

function badge(words, verdict) {
  return element("span", { class: "badge verdict-" + verdict }, plain(words));
}

function site(method, source, otherwise) {
  if (method === "") return otherwise === "" ? null : element("div", { class: "site" }, ...phrase("text.for", foreign(otherwise)));
  return element("div", { class: "site" }, ...phrase("page.place", foreignPath(method, { class: "code" }), foreign(source, { class: "dim" })));
}

/** A moment as seen from the incident's beginning. */
function since(ns, start) {
  return (ns < start ? "−" : "+") + time(Math.abs(ns - start));
}

function advice(steps) {
  return element("ul", { class: "advice" }, ...steps.map(step => element("li", null, step)));
}

/** A query to look at the same in the trace, with a button that copies it. */
function query(command, sql) {
  const text = element("code", null, sql);
  const box = element("pre", { class: "query", tabindex: 0, "aria-label": message("page.query") }, text);
  const button = element("button", {
    type: "button",
    onclick: async () => {
      getSelection().selectAllChildren(text);
      try {
        await navigator.clipboard.writeText(sql);
        button.textContent = message("page.copied");
      } catch {
        button.textContent = message("page.selected");
      }
    },
  }, message("page.copy"));
  return element("div", { class: "reproduce" },
    element("p", { class: "dim" }, ...phrase("page.reproduce", foreign(command, { class: "code" }))),
    box, button);
}
