// The root causes: a table to sort, in which each opens with its facts, stacks and waits over time.

const MOST_CAUSES = 10;
const MOST_STACKS = 5;

/** The columns: what they sort by, whether the greatest comes first. The cost is shown if it is of frames. */
const CAUSE_COLUMNS = {
  rank: { key: cause => cause.rank },
  verdict: { key: cause => cause.verdictName, kind: "verdict" },
  cause: { key: cause => cause.name, kind: "words" },
  waits: { key: cause => cause.waits, falls: true },
  waiters: { key: cause => cause.waiters, falls: true },
  cost: { key: cause => cause.cost, falls: true },
  total: { key: cause => cause.total, falls: true },
  share: { key: cause => cause.total, falls: true },
  p50: { key: cause => cause.p50, falls: true },
  p95: { key: cause => cause.p95, falls: true },
  max: { key: cause => cause.max, falls: true },
};

/** The table of root causes. */
class CauseTable {
  /** Calls opened with the cause that is open now, null for none, and showIncident with an incident to show. */
  constructor(report, { opened, showIncident }) {
    this.report = report;
    this.opened = opened;
    this.showIncident = showIncident;
    this.rows = report.rowsOf(report.causeOf);
    this.total = report.causes.reduce((sum, cause) => sum + cause.total, 0);
    this.all = report.causes.map((cause, index) => ({
      ...cause, rank: index + 1, name: report.text(cause.what), verdictName: report.text(cause.verdict),
    }));
    this.columns = Object.entries(CAUSE_COLUMNS).filter(([name]) => name !== "cost" || report.costIsOfFrames);
    this.length = column(this.all.map(cause => cause.max));
    this.sum = column(this.all.map(cause => cause.total));
    this.most = MOST_CAUSES;
    this.order = { column: "rank", sign: 1 };
    this.open = null;
    this.body = element("tbody");
    this.heads = this.columns.map(([name, { kind }]) => element("th", {
      scope: "col", "data-column": name, class: kind ?? "number",
    }, element("button", { type: "button", onclick: () => this.sort(name) }, message("cause.column." + name))));
    this.more = element("button", {
      type: "button", onclick: () => {
        this.most = Infinity;
        this.show();
      },
    }, message("page.showAllOf", this.all.length));
  }

  content() {
    this.show();
    return [
      element("h2", null,
        message("cause.heading"), " ", element("small", null, this.report.text(this.report.rankedBy))),
      element("div", { class: "scroll" },
        element("table", { class: "ranking", "aria-label": message("cause.heading") },
          element("thead", null, element("tr", null, ...this.heads)), this.body)),
      this.more,
    ];
  }

  sort(name) {
    const { column: was, sign } = this.order;
    this.order = { column: name, sign: was === name ? -sign : CAUSE_COLUMNS[name].falls ? -1 : 1 };
    this.show();
  }

  show() {
    const { column: name, sign } = this.order;
    const { key } = CAUSE_COLUMNS[name];
    const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;
    const sorted = [...this.all].sort((a, b) => sign * compare(key(a), key(b)) || a.rank - b.rank);
    const shown = sorted.slice(0, this.most);
    this.more.hidden = shown.length === sorted.length;
    for (const head of this.heads) {
      if (head.dataset.column === name) head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    }
    this.body.replaceChildren(...shown.flatMap(cause => this.row(cause)));
  }

  row(cause) {
    const isOpen = this.open === cause;
    const id = "cause-" + cause.rank;
    const number = (words, kind) => element("td", { class: "number " + (kind ?? "") }, words);
    const verdict = () => badge(this.report.text(cause.title), cause.verdictName);
    const name = element("button", {
      type: "button", class: "cause", "aria-expanded": String(isOpen), "aria-controls": isOpen ? id + "-facts" : null,
      onclick: event => {
        event.stopPropagation();
        this.toggle(cause);
      },
      onkeydown: event => this.onKey(event),
    }, foreignPath(cause.name));
    const kind = "verdict-" + cause.verdictName + (isOpen ? " open" : "");
    const row = element("tr", { id, class: kind, onclick: () => this.toggle(cause) },
      number(cause.rank), element("td", { class: "verdict" }, verdict()),
      element("td", { class: "words" }, name, element("div", { class: "narrow" }, verdict()),
        element("div", { class: "dim" }, foreignPath(this.report.text(cause.where)))),
      number(cause.waits.toLocaleString("en"), "less"), number(cause.allThreads ? message("cause.allThreads") : cause.waiters.toLocaleString("en"), "less"),
      this.report.costIsOfFrames ? number(this.sum(cause.cost), "less") : null,
      number(this.sum(cause.total)), number(percent(cause.total, this.total)),
      ...["p50", "p95", "max"].map(key => number(this.length(cause[key]), "less")));
    return isOpen ? [row, this.block(cause, id + "-facts")] : [row];
  }

  /** To the row above or below. */
  onKey(event) {
    const names = [...this.body.querySelectorAll("button.cause")];
    const at = names.indexOf(event.target);
    const next = { ArrowUp: names[at - 1], ArrowDown: names[at + 1], Home: names[0], End: names.at(-1) }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  }

  toggle(cause) {
    this.change(this.open === cause ? null : cause);
    document.getElementById("cause-" + cause.rank).querySelector("button.cause").focus({ preventScroll: true });
  }

  change(cause) {
    this.open = cause;
    this.show();
    this.opened(cause);
  }

  /** Opens the root cause with an index, wherever it is. */
  reveal(index) {
    const cause = this.all[index];
    this.change(cause);
    if (document.getElementById("cause-" + cause.rank) === null) {
      this.most = Infinity;
      this.show();
    }
    document.getElementById("cause-" + cause.rank).scrollIntoView({ block: "nearest" });
  }

  block(cause, id) {
    const { report } = this;
    const facts = groups(cause.facts, 2).flatMap(([label, value]) =>
      [element("dt", null, report.text(label)), element("dd", null, foreign(report.text(value)))]);
    const states = groups(cause.states, 2).map(([state, dur]) => ({ state, dur }));
    return element("tr", { class: "block", id }, element("td", { colspan: this.heads.length },
      element("dl", { class: "facts" }, ...facts),
      element("h3", null, message("page.next.steps")),
      advice(report.advice[cause.advice]),
      element("h3", null, message("page.waitsOverTime")),
      ...this.waitsOverTime(cause),
      element("div", { class: "tables" }, statesTable(report, report.text(cause.statesLabel), states, cause.total)),
      ...this.stacks(cause)));
  }

  waitsOverTime(cause) {
    const hint = () => [element("span", { class: "dim" }, message("page.lane.hint"))];
    const pointed = element("p", { class: "pointed", role: "status" }, ...hint());
    const lane = new WaitLane(this.report, this.rows[cause.rank - 1] ?? [], {
      name: cause.name, threads: cause.waiters, axis: true,
      describe: words => pointed.replaceChildren(...(words ?? hint())), open: this.showIncident,
    });
    return [lane.canvas, pointed];
  }

  stacks(cause) {
    const all = groups(cause.stacks, 4);
    if (all.length === 0) return [element("p", { class: "note" }, this.report.noStacks)];
    const rest = all.length - MOST_STACKS;
    return [
      ...all.slice(0, MOST_STACKS).map((stack, index) => this.stack(stack, this.report.text(cause.ownerStack), index === 0)),
      rest > 0 ? element("p", { class: "note" }, message("page.firstOf", MOST_STACKS, rest)) : "",
    ];
  }

  stack([waiter, owner, waits, dur], ownerLabel, open) {
    const part = (label, innermost) => innermost < 0 ? null : element("div", null,
      element("h4", null, label),
      element("ol", { class: "calls" }, ...this.report.stack(innermost).map(({ name, own }) =>
        element("li", { class: own ? "own" : "dim" }, foreignPath(name, { class: "code" })))));
    const words = message("cause.stacks", count(waits, "wait"), time(dur));
    return element("details", { class: "stacks", open, "aria-label": words },
      element("summary", null, words),
      element("div", { class: "pair" }, part(message("label.waiterStack"), waiter), part(ownerLabel, owner)));
  }
}
