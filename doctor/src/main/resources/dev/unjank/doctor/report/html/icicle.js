// Blocked time, or samples of running threads, by stack: the outermost call on top, each as wide as its time or samples.
// Drawn here, since d3-flame-graph, the usual library, makes markup of names, which the page's policy forbids, needs D3,
// and has no keys.

const CALL = 22;
const LEAST_SHARE = 0.001;
const SIDES = ["waiter", "owner", "onCpu"];

/** The calls of some stacks with their weights, times or samples: a part of the tree of all calls. */
class CallTree {
  /** @param stacks each with the number of its innermost call, below 0 for none, and its weight */
  constructor(report, stacks) {
    this.report = report;
    this.weights = new Map(); // by call
    this.callees = new Map(); // by caller, -1 for none
    this.total = 0;
    for (const [innermost, weight] of stacks) {
      if (innermost < 0) continue;
      this.total += weight;
      for (let call = innermost; call >= 0; call = report.call(call).caller) this.add(call, weight);
    }
    for (const callees of this.callees.values()) callees.sort((a, b) => this.weights.get(b) - this.weights.get(a));
  }

  add(call, weight) {
    if (!this.weights.has(call)) {
      const { caller } = this.report.call(call);
      if (!this.callees.has(caller)) this.callees.set(caller, []);
      this.callees.get(caller).push(call);
    }
    this.weights.set(call, (this.weights.get(call) ?? 0) + weight);
  }

  weight(call) {
    return call < 0 ? this.total : this.weights.get(call);
  }

  name(call) {
    return call < 0 ? message("page.icicle.all") : this.report.call(call).name;
  }

  /** The calls on the way to a call, the outermost first. */
  callers(call) {
    const callers = [];
    for (let at = call; at >= 0;) callers.unshift(at = this.report.call(at).caller);
    return callers;
  }

  /** The weight of calls below a call whose names contain a word; of recursive ones only the outer. */
  matching(root, word) {
    let weight = 0;
    const calls = [root];
    while (calls.length > 0) {
      const call = calls.pop();
      if (call >= 0 && this.name(call).toLowerCase().includes(word)) weight += this.weight(call);
      else calls.push(...this.callees.get(call) ?? []);
    }
    return weight;
  }

  /** The calls below a call as boxes, from 0 to 1 wide; those too small to see are left out. */
  boxes(root, depth) {
    const boxes = [];
    const whole = Math.max(1, this.weight(root));
    const calls = [{ call: root, depth, from: 0 }];
    while (calls.length > 0) {
      const box = calls.pop();
      box.share = this.weight(box.call) / whole;
      boxes.push(box);
      let from = box.from;
      for (const call of this.callees.get(box.call) ?? []) {
        if (this.weight(call) / whole >= LEAST_SHARE) calls.push({ call, depth: box.depth + 1, from });
        from += this.weight(call) / whole;
      }
    }
    return boxes;
  }
}

/** The tree of calls on show, to zoom and to search. */
class Icicle {
  constructor(report) {
    this.report = report;
    this.cause = null; // the open one
    this.ofCause = false;
    this.word = "";
    this.place = element("div", {
      class: "icicle", role: "tree",
      onclick: event => this.onClick(event), onkeydown: event => this.onKey(event),
      onpointerover: event => this.describe(event.target.closest("[role=treeitem]")),
      onpointerleave: () => this.describe(null), onfocusin: event => this.describe(event.target),
    });
    this.pointed = element("p", { class: "pointed", role: "status" });
    this.matches = element("span", { role: "status" });
    this.unzoom = element("button", { type: "button", onclick: () => this.zoom(-1) }, message("page.icicle.unzoom"));
    this.side = SIDES.find(side => this.stacks(side).some(([call]) => call >= 0)) ?? "waiter";
  }

  content() {
    const { report } = this;
    this.heading = element("h2");
    if (report.calls.length === 0) return [element("h2", null, message("page.icicle")), element("p", { class: "note" }, report.noStacks)];
    const option = (value, words, selected) => element("option", { value, selected }, words);
    const select = (label, options, change) => element("select", {
      "aria-label": label, onchange: event => {
        change(event.target.value);
        this.reset();
      },
    }, ...options);
    this.scope = select(message("page.icicle.scope"),
      [option("all", message("page.icicle.allCauses")), option("cause", message("page.icicle.openCause"))],
      value => this.ofCause = value === "cause");
    this.reset();
    return [
      this.heading,
      element("form", { class: "filters graph", onsubmit: event => event.preventDefault() },
        select(message("page.icicle.side"),
          SIDES.map(side => option(side, message("page.icicle." + side), side === this.side)),
          value => this.side = value),
        this.scope,
        element("input", {
          type: "search", placeholder: message("page.icicle.search"), "aria-label": message("page.icicle.search"),
          oninput: event => {
            this.word = event.target.value.trim().toLowerCase();
            this.draw();
          },
        }),
        this.unzoom,
        this.matches),
      this.place,
      this.pointed,
    ];
  }

  /** The innermost calls of a side with their times or samples, of all root causes or of the open one. */
  stacks(side) {
    const ofOne = this.ofCause && this.cause !== null;
    if (side === "onCpu") return groups((ofOne ? this.cause : this.report).samples, 2);
    const causes = ofOne ? [this.cause] : this.report.causes;
    return causes.flatMap(cause => groups(cause.stacks, 4))
      .map(([waiter, owner, , ns]) => [side === "waiter" ? waiter : owner, ns]);
  }

  /** Takes notice of the open root cause, null for none. */
  select(cause) {
    this.cause = cause;
    if (this.ofCause) this.reset();
  }

  reset() {
    this.tree = new CallTree(this.report, this.stacks(this.side));
    const title = message(this.side === "onCpu" ? "page.icicle.samples" : "page.icicle");
    this.heading.textContent = title;
    this.place.setAttribute("aria-label", title);
    this.zoom(-1);
  }

  zoom(call) {
    this.root = call;
    this.draw();
    this.describe(null);
  }

  draw() {
    const { tree, root, word } = this;
    this.unzoom.disabled = root < 0;
    const callers = tree.callers(root);
    const outer = callers.map((call, depth) => ({ call, depth, from: 0, share: 1, outer: true }));
    this.boxes = [...outer, ...tree.boxes(root, callers.length)];
    const isEmpty = tree.total === 0;
    this.place.hidden = isEmpty;
    this.place.replaceChildren(...isEmpty ? [] : this.boxes.map((box, index) => this.box(box, index)));
    const deepest = this.boxes.reduce((most, { depth }) => Math.max(most, depth), 0);
    this.place.style.height = (1 + deepest) * CALL + "px";
    const found = word === "" ? 0 : tree.matching(root, word);
    this.matches.textContent = word === "" ? ""
      : message("page.icicle.matches", this.amount(found), percent(found, tree.weight(root)));
  }

  box({ call, depth, from, share, outer }, index) {
    const { tree, word } = this;
    const name = tree.name(call);
    const found = word !== "" && name.toLowerCase().includes(word);
    const own = call >= 0 && this.report.call(call).own;
    const box = element("div", {
      class: `call ${found ? "found" : own ? "own" : "library"}${outer ? " outer" : ""}`, "data-index": index,
      role: "treeitem", tabindex: call === this.root ? 0 : -1,
      "aria-level": depth + 1, "aria-label": `${name}, ${this.share(call)}`,
    }, foreign(shortName(name)));
    Object.assign(box.style, { left: from * 100 + "%", width: share * 100 + "%", top: depth * CALL + "px" });
    return box;
  }

  share(call) {
    const weight = this.tree.weight(call);
    return `${this.amount(weight)}, ${percent(weight, this.tree.total)}`;
  }

  /** A weight with its unit. */
  amount(weight) {
    return this.side === "onCpu" ? count(weight, "sample") : time(weight);
  }

  /** The full description of a box. */
  describe(box) {
    const none = this.tree.total === 0 ? "page.icicle.none." + this.side
      : this.side === "onCpu" ? "page.icicle.hint.samples" : "page.icicle.hint";
    const { call } = this.boxes[box?.dataset.index] ?? {};
    this.pointed.replaceChildren(...call === undefined ? [element("span", { class: "dim" }, message(none))]
      : [foreignPath(this.tree.name(call)), ": ", this.share(call)]);
  }

  onClick(event) {
    const box = event.target.closest("[role=treeitem]");
    if (box !== null) this.enter(this.boxes[box.dataset.index].call);
  }

  /** Zooms to a call, and keeps the focus there. */
  enter(call) {
    this.zoom(call);
    this.focus(this.boxes.findIndex(box => box.call === call));
  }

  focus(index) {
    if (index < 0) return;
    for (const box of this.place.children) box.tabIndex = Number(box.dataset.index) === index ? 0 : -1;
    this.place.children[index].focus();
  }

  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const index = Number(event.target.dataset.index);
    const { call, depth } = this.boxes[index];
    const at = level => this.boxes.map((box, place) => ({ ...box, place })).filter(box => box.depth === level)
      .sort((a, b) => a.from - b.from);
    const beside = at(depth);
    const here = beside.findIndex(box => box.place === index);
    const to = box => this.focus(box === undefined ? -1 : box.place);
    const actions = {
      Enter: () => this.enter(call), " ": () => this.enter(call),
      Escape: () => this.enter(-1), Home: () => this.focus(0),
      ArrowUp: () => to(at(depth - 1).find(box => box.call === this.callerOf(call))),
      ArrowDown: () => to(at(depth + 1).find(box => this.callerOf(box.call) === call)),
      ArrowLeft: () => to(beside[here - 1]), ArrowRight: () => to(beside[here + 1]),
    };
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }

  callerOf(call) {
    return call < 0 ? null : this.report.call(call).caller;
  }
}

/** A method with its class and line, without its package, whose parts begin with a small letter. */
function shortName(name) {
  return name.replace(/^(?:\p{Ll}[\p{L}\p{N}_$]*\.)+(?=[^.]+\.)/u, "");
}
