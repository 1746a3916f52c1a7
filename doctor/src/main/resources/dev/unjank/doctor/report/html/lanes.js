// Waits over the time of the whole recording, in lanes: how many threads of a group were blocked, and by which verdict.

/** Waits of a group in little detail: per column of pixels and verdict, the average number of blocked threads. */
class BlockedThreads {
  constructor(report, rows, columns) {
    const { at, dur, verdict } = report.incidents;
    this.scale = columns / Math.max(1, report.dur);
    this.columns = columns;
    this.counts = new Map(); // by verdict, the worst first
    const ranked = [...new Set(rows.map(row => verdict[row]))];
    ranked.sort((a, b) => report.verdicts[report.text(a)].rank - report.verdicts[report.text(b)].rank);
    const counted = () => ({ count: new Float64Array(columns + 1), steps: new Float64Array(columns + 2) });
    for (const key of ranked) this.counts.set(key, counted());
    for (const row of rows) {
      this.add(this.counts.get(verdict[row]), at[row] * this.scale, (at[row] + dur[row]) * this.scale);
    }
    for (const { count, steps } of this.counts.values()) {
      let whole = 0;
      for (let x = 0; x < columns; x++) {
        whole += steps[x];
        count[x] += whole;
      }
    }
  }

  /** The first and the last column in part, those between them whole: as steps, since there may be many. */
  add({ count, steps }, from, to) {
    const first = Math.min(this.columns - 1, Math.floor(from));
    const last = Math.min(this.columns - 1, Math.floor(to));
    if (first === last) {
      count[first] += to - from;
      return;
    }
    count[first] += first + 1 - from;
    count[last] += to - last;
    steps[first + 1] += 1;
    steps[last] -= 1;
  }
}

const LANE = 36;
const LANE_AXIS = 16;

/** A lane of waits. Pointer and arrow keys choose one, a click and Enter open it. */
class WaitLane {
  /**
   * @param rows the incidents
   * @param threads how many threads fill the lane when all are blocked
   * @param describe called with a description of the wait that the pointer or the keyboard is at, null for none
   * @param open called with the incident that the reader wants to see
   */
  constructor(report, rows, { name, threads, describe, open, axis }) {
    this.report = report;
    this.rows = report.byStart([...rows]);
    this.threads = Math.max(1, threads);
    this.describe = describe;
    this.open = open;
    this.axis = axis;
    this.chosen = -1; // a place in rows
    this.canvas = element("canvas", {
      class: "lane", tabindex: 0, role: "application", "aria-roledescription": message("page.lane.role"),
      "aria-label": message("page.lane.help", name, count(rows.length, "wait")),
      onpointermove: event => this.choose(this.nearest(event.offsetX)), onpointerleave: () => this.choose(-1),
      onblur: () => this.choose(-1), onclick: event => this.take(this.nearest(event.offsetX)),
      onkeydown: event => this.onKey(event),
    });
    this.canvas.style.height = LANE + (axis ? LANE_AXIS : 0) + "px";
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    onThemeChange(() => this.draw());
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = Math.max(1, Math.round(this.canvas.clientWidth));
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round((LANE + (this.axis ? LANE_AXIS : 0)) * ratio);
    this.canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
    this.blocked = new BlockedThreads(this.report, this.rows, this.width);
    this.draw();
  }

  draw() {
    const { report, width } = this;
    if (width === undefined) return;
    const context = this.canvas.getContext("2d");
    context.clearRect(0, 0, width, LANE + LANE_AXIS);
    context.fillStyle = colour("unknown");
    context.fillRect(0, 0, width, LANE);
    if (this.axis) drawMarks(context, report.dur, width, LANE, LANE_AXIS);
    const base = new Float64Array(width);
    for (const [verdict, { count }] of this.blocked.counts) {
      context.fillStyle = colour("verdict-" + report.text(verdict));
      for (let x = 0; x < width; x++) {
        if (count[x] <= 0) continue;
        const tall = Math.max(2, Math.min(1, count[x] / this.threads) * LANE);
        context.fillRect(x, LANE - base[x] - tall, 1, tall);
        base[x] += tall;
      }
    }
    if (this.chosen >= 0) this.drawChosen(context);
  }

  drawChosen(context) {
    const { at, dur } = this.report.incidents;
    const row = this.rows[this.chosen];
    const { scale } = this.blocked;
    context.strokeStyle = colour("text");
    context.lineWidth = 2;
    const x = Math.min(this.width - 4, Math.max(1, at[row] * scale));
    context.strokeRect(x, 1, Math.max(3, dur[row] * scale), LANE - 2);
  }

  /** Of the waits at a place the longest, otherwise the nearest. */
  nearest(x) {
    const { at, dur } = this.report.incidents;
    const ns = x / Math.max(1, this.width) * this.report.dur;
    const reach = REACH / Math.max(1, this.width) * this.report.dur;
    const distance = row => Math.max(at[row] - ns, ns - at[row] - dur[row], reach);
    let best = 0;
    this.rows.forEach((row, place) => {
      const nearer = distance(row) - distance(this.rows[best]);
      if (nearer < 0 || nearer === 0 && dur[row] > dur[this.rows[best]]) best = place;
    });
    return this.rows.length === 0 ? -1 : best;
  }

  choose(place) {
    if (place === this.chosen) return;
    this.chosen = place;
    this.describe(place < 0 ? null : this.words(this.rows[place]));
    this.draw();
  }

  take(place) {
    if (place >= 0) this.open(this.rows[place]);
  }

  words(row) {
    const { report } = this;
    const { at, dur, thread, lock, title } = report.incidents;
    return phrase("page.lane.wait", foreign(report.thread(thread[row]).name), time(dur[row]), report.moment(at[row]),
      plain(report.text(title[row])), foreign(report.text(lock[row])));
  }

  onKey(event) {
    const last = this.rows.length - 1;
    const places = {
      ArrowLeft: Math.max(0, this.chosen - 1), ArrowRight: Math.min(last, this.chosen + 1), Home: 0, End: last,
    };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter") this.take(this.chosen);
    else if (event.key in places) this.choose(places[event.key]);
    else return;
    event.preventDefault();
  }
}

const MOST_LANES = 12;

/** A lane for each group of threads that waited, those with a cost first. */
class GroupLanes {
  /** Calls open with the root cause of a wait that the reader chose. */
  constructor(report, open) {
    this.report = report;
    this.open = open;
    this.rows = report.rowsOf(report.groupOf);
    this.pointed = element("p", { class: "pointed dim", role: "status" });
    this.place = element("div", { class: "lanes" });
  }

  content() {
    const { report } = this;
    const verdicts = [...new Set(report.incidents.verdict)].map(index => report.text(index));
    this.describe(null);
    this.show(report.groups.slice(0, MOST_LANES));
    return [
      element("h2", null, message("page.lanes")),
      element("p", { class: "legend" }, ...verdicts.map(name => badge(name, name))),
      this.place,
      this.pointed,
      report.groups.length <= MOST_LANES ? null : element("button", {
        type: "button", onclick: event => {
          event.target.remove();
          this.show(report.groups);
        },
      }, message("page.showAllOf", report.groups.length)),
    ];
  }

  describe(words) {
    this.pointed.replaceChildren(...(words ?? [message("page.lanes.hint")]));
  }

  show(groups) {
    this.place.replaceChildren(...groups.map((group, index) => this.lane(group, index, index === groups.length - 1)));
  }

  lane(group, index, axis) {
    const { report } = this;
    const name = report.text(group.name);
    const process = report.text(group.process);
    const lane = new WaitLane(report, this.rows[index] ?? [], {
      name, threads: group.threads, axis,
      describe: words => this.describe(words), open: row => this.open(report.causeOf[row]),
    });
    return element("div", { class: "group" },
      element("div", null, foreignPath(name, { class: "name" }),
        process === "" || process === name ? null : element("span", { class: "dim" }, " ", foreignPath(process)),
        element("div", { class: "dim" }, group.threads === 0 ? time(group.total)
          : message("page.lane.group", count(group.threads, "thread"), time(group.total)))),
      lane.canvas);
  }
}
