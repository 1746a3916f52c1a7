// The root causes: a table to sort, each with its facts, its stacks and its occurrences on the time axis; blocked time as an icicle of
// stacks; and all waits in a lane per group of threads.

const CAUSE_COLUMNS = ["rank", "total", "occurrences", "waiters", "p50", "p95", "max"];
const FRAME = 20;

class RootCauses {
  /** Calls open with the index of an incident that the reader wants to see. */
  constructor(report, open) {
    this.report = report;
    this.open = open;
    this.all = report.causes.map((cause, index) => ({ ...cause, rank: index + 1 }));
    this.total = this.all.reduce((sum, cause) => sum + cause.total, 0);
    this.body = element("tbody");
    this.detail = element("article", { class: "cause" });
    this.icicle = new Icicle(report, this.all);
    this.lanes = element("div", { class: "lanes" });
    this.order = { key: "rank", sign: 1 };
  }

  content() {
    if (this.all.length === 0) return [element("p", { class: "note" }, message("page.noIncidents"))];
    this.rows();
    this.choose(0);
    this.drawLanes();
    return [
      element("h2", null, message("cause.heading"), " ", element("small", null, this.report.text(this.report.rankedBy))),
      element("div", { class: "scroll" }, element("table", { class: "causes" }, element("thead", null, element("tr", null,
        ...CAUSE_COLUMNS.map(key => this.head(key)), element("th", null, message("cause.column.share")),
        element("th", { class: "words" }, message("cause.column.verdict")))), this.body)),
      this.detail,
      ...this.icicle.content(),
      element("h2", null, message("page.cause.lanes")),
      this.lanes,
    ];
  }

  head(key) {
    return element("th", null, element("button", { type: "button", class: "sort", onclick: () => this.sort(key) }, message("cause.column." + key)));
  }

  sort(key) {
    const sign = this.order.key === key ? -this.order.sign : key === "rank" ? 1 : -1;
    this.order = { key, sign };
    this.rows();
  }

  rows() {
    const { key, sign } = this.order;
    const sorted = [...this.all].sort((a, b) => sign * (a[key] - b[key]) || a.rank - b.rank);
    this.body.replaceChildren(...sorted.map(cause => this.row(cause)));
    this.mark();
  }

  row(cause) {
    const { report } = this;
    const name = report.text(cause.verdict);
    return element("tr", { "data-rank": cause.rank, onclick: () => this.choose(cause.rank - 1) },
      element("td", null, cause.rank), element("td", null, time(cause.total)), element("td", null, cause.occurrences.toLocaleString("en")),
      element("td", null, cause.waiters), ...["p50", "p95", "max"].map(key => element("td", null, time(cause[key]))),
      element("td", null, percent(cause.total, this.total)),
      element("td", { class: "words" }, element("button", { type: "button", class: "name" }, badge(name, name), " ", foreign(report.text(cause.what))),
        element("div", { class: "dim" }, foreign(report.text(cause.where)))));
  }

  mark() {
    for (const row of this.body.children) row.setAttribute("aria-selected", String(Number(row.dataset.rank) === this.chosen + 1));
  }

  choose(index) {
    const { report } = this;
    const cause = this.all[index];
    this.chosen = index;
    this.mark();
    const facts = cause.labels.flatMap((label, at) =>
      [element("dt", null, report.text(label)), element("dd", null, foreign(report.text(cause.values[at])))]);
    this.detail.replaceChildren(
      element("h3", null, `#${cause.rank} `, foreign(report.text(cause.what))),
      element("dl", { class: "facts" }, ...facts),
      element("h3", null, message("label.incidents")), this.axis(cause.incidents),
      ...cause.stacks.slice(0, 5).map(stack => this.stack(stack)));
  }

  stack({ waiter, owner, dur, waits }) {
    const lines = frames => frames.map(frame => this.report.text(frame)).join("\n");
    const part = (label, frames) => frames.length === 0 ? null
      : element("div", null, element("b", null, message(label)), element("pre", null, foreign(lines(frames))));
    return element("details", { class: "stacks", open: true },
      element("summary", null, message("cause.stacks", count(waits, "wait"), time(dur))),
      element("div", { class: "pair" }, part("label.waiterStack", waiter), part("label.ownerStack", owner)));
  }

  /** Incidents on the axis of the whole recording; a click opens the one at that place. */
  axis(rows, label) {
    const { at, dur, verdict } = this.report.incidents;
    const canvas = element("canvas", { class: "axis", role: "img", "aria-label": label ?? message("label.incidents") });
    const whole = Math.max(1, this.report.dur);
    const draw = () => {
      const ratio = window.devicePixelRatio || 1;
      canvas.width = Math.round(canvas.clientWidth * ratio);
      canvas.height = Math.round(canvas.clientHeight * ratio);
      const context = canvas.getContext("2d");
      context.globalAlpha = 0.55;
      for (const row of rows) {
        context.fillStyle = colour("verdict-" + this.report.text(verdict[row]));
        context.fillRect(at[row] / whole * canvas.width, 0, Math.max(ratio, dur[row] / whole * canvas.width), canvas.height);
      }
    };
    new ResizeObserver(draw).observe(canvas);
    onThemeChange(draw);
    canvas.addEventListener("click", event => {
      const ns = event.offsetX / Math.max(1, canvas.clientWidth) * whole;
      const distance = row => Math.max(at[row] - ns, ns - at[row] - dur[row], 0);
      if (rows.length > 0) this.open(rows.reduce((best, row) => distance(row) < distance(best) ? row : best));
    });
    return canvas;
  }

  drawLanes() {
    const groups = new Map();
    for (const cause of this.all) {
      const name = this.report.text(cause.group);
      const lane = groups.get(name) ?? { rows: [], total: 0 };
      lane.rows.push(...cause.incidents);
      lane.total += cause.total;
      groups.set(name, lane);
    }
    const lanes = [...groups].sort(([, a], [, b]) => b.total - a.total).slice(0, 60);
    this.lanes.append(...lanes.map(([name, { rows, total }]) => element("div", { class: "lane" },
      element("span", null, foreign(name), " ", element("small", null, time(total))), this.axis(rows, name))));
  }
}

/** Blocked time by stack: the outermost call on top, each call as wide as its time. */
class Icicle {
  constructor(report, causes) {
    this.report = report;
    this.causes = causes;
    this.side = causes.some(cause => cause.stacks.some(stack => stack.waiter.length > 0)) ? "waiter" : "owner";
    this.place = element("div", { class: "icicle" });
    this.wanted = "";
  }

  content() {
    if (!this.causes.some(cause => cause.stacks.length > 0)) return [];
    const side = key => element("option", { value: key, selected: key === this.side }, message("label." + key + "Stack"));
    this.zoom(this.tree());
    return [
      element("h2", null, message("page.cause.icicle")),
      element("form", { class: "filters", onsubmit: event => event.preventDefault() },
        element("select", { "aria-label": message("page.cause.icicle"), onchange: event => { this.side = event.target.value; this.zoom(this.tree()); } }, side("waiter"), side("owner")),
        element("input", { type: "search", placeholder: message("page.cause.search"), "aria-label": message("page.cause.search"), oninput: event => { this.wanted = event.target.value.toLowerCase(); this.draw(); } }),
        element("button", { type: "button", class: "chip", onclick: () => this.zoom(this.tree()) }, message("page.cause.unzoom"))),
      this.place,
    ];
  }

  tree() {
    const root = { name: message("page.cause.allStacks"), dur: 0, children: new Map() };
    for (const { stacks } of this.causes) {
      for (const stack of stacks) {
        const frames = stack[this.side];
        if (frames.length === 0) continue;
        root.dur += stack.dur;
        let node = root;
        for (const frame of [...frames].reverse()) {
          const next = node.children.get(frame) ?? { name: this.report.text(frame), dur: 0, children: new Map() };
          node.children.set(frame, next);
          next.dur += stack.dur;
          node = next;
        }
      }
    }
    return root;
  }

  zoom(node) {
    this.root = node;
    this.draw();
  }

  draw() {
    const boxes = [];
    let deepest = 0;
    const add = (node, from, depth) => {
      const share = node.dur / Math.max(1, this.root.dur);
      if (share < 0.002) return;
      deepest = Math.max(deepest, depth);
      const found = this.wanted !== "" && node.name.toLowerCase().includes(this.wanted);
      const box = element("button", {
        type: "button", class: found ? "frame found" : "frame", title: `${node.name}: ${time(node.dur)}`, onclick: () => this.zoom(node),
      }, node.name);
      Object.assign(box.style, { left: from * 100 + "%", width: share * 100 + "%", top: depth * FRAME + "px" });
      boxes.push(box);
      let at = from;
      for (const child of [...node.children.values()].sort((a, b) => b.dur - a.dur)) {
        add(child, at, depth + 1);
        at += child.dur / Math.max(1, this.root.dur);
      }
    };
    add(this.root, 0, 0);
    this.place.style.height = (deepest + 1) * FRAME + "px";
    this.place.replaceChildren(...boxes);
  }
}
