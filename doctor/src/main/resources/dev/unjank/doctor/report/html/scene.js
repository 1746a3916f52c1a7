// The contents of a timeline, as rows of items: a lane has a row for its waits, one for its states, and some for its slices.

const LABEL = 25; // with room below the words for the head of an arrow
const WORDS = 17;
const GAP = 12;
const STATES = 20;
const SLICES = 16;

/** Rows from top to bottom. An item has a stretch of time, a fill, a label and a line with all of it. */
class Scene {
  constructor(report, row) {
    this.report = report;
    this.drawing = report.drawing(row);
    this.start = report.incidents.at[row];
    this.end = this.start + report.incidents.dur[row];
    this.rows = [];
    this.labels = [];
    this.links = [];
    this.deadlines = [];
    this.height = 0;
    this.hasPriorities = this.drawing.lanes.some(({ priority }) => report.known(priority));
    this.addFrames();
    const places = this.drawing.lanes.map((lane, index) => this.addLane(lane, index));
    this.addLinks(places);
  }

  addRow(height, items, thin) {
    const row = { y: this.height, height, items, thin };
    this.rows.push(row);
    this.height += height + 2;
    return row;
  }

  addLane(lane, index) {
    const { report, drawing } = this;
    const thread = report.thread(lane.thread);
    const name = isolated(thread.name);
    this.labels.push({
      y: this.height, role: message("page.role." + lane.role), name,
      facts: this.importance(lane) + report.identity(lane.thread) + (lane.coarse ? message("page.sampled") : ""),
    });
    this.height += LABEL;
    const place = { top: this.height };
    const waits = drawing.waits.filter(wait => wait.lane === index);
    if (waits.length > 0) this.addRow(STATES, waits.map(wait => this.waitItem(name, wait)));
    this.addRow(STATES, this.stateItems(name, lane), lane.role === "PREEMPTING");
    const depths = [...new Set(lane.slices.map(slice => slice.depth))].sort((a, b) => a - b);
    for (const depth of depths) {
      const slices = lane.slices.filter(slice => slice.depth === depth);
      this.addRow(SLICES, slices.map(slice => this.sliceItem(name, slice)));
    }
    place.bottom = this.height - 2;
    this.height += GAP;
    return place;
  }

  waitItem(name, { lane, ownerLane, unseen, kind, from, to }) {
    if (lane === ownerLane) { // the waiter's own time
      const what = messages["page.own." + kind] ?? message("page.own");
      return { from, to, fill: "free", label: `${what}, ${time(to - from)}`, about: `${name} ${what}` };
    }
    const other = messages["page.waitsFor." + kind];
    if (ownerLane < 0 && other) {
      return { from, to, fill: "blocked", label: `${other}, ${time(to - from)}`, about: `${name} ${other}` };
    }
    const thread = ownerLane >= 0 ? this.thread(ownerLane) : unseen >= 0 ? this.report.thread(unseen) : null;
    const owner = thread === null ? message("page.noOwner") : isolated(thread.name);
    return {
      from, to, fill: "blocked", label: message("page.waitsFor", owner, time(to - from)),
      about: message("page.aboutWait", name, owner, message("kind." + kind)),
    };
  }

  thread(lane) {
    return this.report.thread(this.drawing.lanes[lane].thread);
  }

  stateItems(name, lane) {
    return lane.states.map(({ kind, from, to }) => {
      const { state, cpu, priority, text, waker } = kind;
      const what = this.report.stateLabel(state);
      const fill = this.report.stateFill(state);
      const facts = [name + " " + what];
      if (cpu >= 0) facts.push(message("page.onCpu", cpu));
      if (text) facts.push(message("thread.inProcess", isolated(text)));
      if (this.report.known(priority)) facts.push(this.report.rank(priority));
      if (waker >= 0) facts.push(message("page.wokenBy", isolated(this.report.thread(waker).name)));
      return {
        from, to, fill: lane.role === "PREEMPTING" && fill === "running" ? this.rank(priority) : fill,
        label: `${what} ${time(to - from)}${text ? " " + isolated(text) : ""}`, about: facts.join(", "),
      };
    });
  }

  importance({ role, priority }) {
    if (!this.report.known(priority)) return "";
    return message(role === "PREEMPTING" && this.rank(priority) === "worse" ? "page.worsePriority" : "page.priority", priority);
  }

  /** Whether the thread that ran meanwhile has a lower priority than the waiter. */
  rank(priority) {
    const blocked = this.drawing.lanes[0].priority;
    return this.report.known(priority) && this.report.known(blocked) && priority > blocked ? "worse" : "other";
  }

  sliceItem(name, { from, to, text }) {
    return { from, to, fill: "slice", label: text, about: message("page.inSlice", name, isolated(text)) };
  }

  addFrames() {
    const { frames } = this.drawing;
    if (frames.length === 0) return;
    this.labels.push({ y: this.height, role: this.report.framesName, name: "", facts: "" });
    this.height += LABEL;
    const items = { true: [], false: [] }; // frames may overlap: missed ones have a row of their own
    for (const { from, to, whole, deadline, missedBy, jank, missed } of frames) {
      const how = jank || message("page.inTime");
      if (deadline >= 0) this.deadlines.push({ at: deadline, missed: missed === 1 });
      items[missed === 1].push({
        from, to, fill: missed ? "missed" : "other", label: message("page.took", how, time(whole)),
        about: message(missed && missedBy > 0 ? "page.aboutMissedFrame" : "page.aboutFrame", this.report.frameLabel, time(whole), how, time(missedBy)),
      });
    }
    for (const row of Object.values(items)) if (row.length > 0) this.addRow(SLICES, row);
    this.height += GAP;
  }

  /** From the waiter to the owner at the beginning, and back at the end. */
  addLinks(places) {
    for (const { lane, ownerLane, from, to } of this.drawing.waits) {
      if (ownerLane < 0 || ownerLane === lane) continue;
      const down = places[lane].top < places[ownerLane].top;
      const one = down ? places[lane].bottom : places[lane].top;
      const other = down ? places[ownerLane].top : places[ownerLane].bottom;
      this.links.push({ at: from, y: one, to: other });
      this.links.push({ at: to, y: other, to: one });
    }
  }

  /** The row at a height, or the nearest of those around it. */
  rowAt(y) {
    return this.rows.find(row => y >= row.y && y < row.y + row.height) ?? null;
  }
}
