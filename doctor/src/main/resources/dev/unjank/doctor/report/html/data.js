// The data as objects, and which incidents a reader wants to see in which order.

/** Unpacks the JSON block. */
async function unpacked(base64) {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

class Report {
  constructor(json) {
    Object.assign(this, json);
    this.size = this.incidents.at.length;
    Object.entries(this.verdicts).forEach(([name, verdict], rank) => Object.assign(verdict, { name, rank }));
    this.haystacks = null;
    this.places = []; // in the list of timelines, which has the first rows by their start
    this.byStart(this.timelines.map((_, row) => row)).forEach((row, place) => this.places[row] = place);
    this.length = column(this.incidents.dur);
    this.moment = isSeconds(this.dur) ? seconds : milliseconds;
  }

  text(index) {
    return index < 0 ? "" : this.texts[index];
  }

  thread(index) {
    const [tid, name, process, main, facts] = this.threads[index];
    return { tid, name: this.text(name), process: this.text(process), main: main === 1, facts: this.text(facts) };
  }

  /** Properties that identify a thread besides its name: "main thread, tid 3363, priority 110". */
  identity(index, priority) {
    const { facts } = this.thread(index);
    const rank = this.known(priority) ? this.rank(priority) : "";
    return facts + (facts && rank ? ", " : "") + rank;
  }

  /** The kernel's number, with the one that people set. */
  rank(priority) {
    return message(priority < 100 ? "page.realTime" : "page.nice", priority, String(priority - 120).replace("-", "−"));
  }

  /** The owner, empty if there is none or it is unknown. */
  ownerName(row) {
    const owner = this.incidents.owner[row];
    return owner < 0 ? "" : this.thread(owner).name;
  }

  known(priority) {
    return priority !== undefined && priority !== this.noPriority;
  }

  verdict(row) {
    return this.verdicts[this.text(this.incidents.verdict[row])];
  }

  /** A call of a stack: its caller, below 0 for the outermost, its name, and whether it is the program's own. */
  call(index) {
    const [caller, name, own] = this.calls.slice(3 * index, 3 * index + 3);
    return { caller, name: this.text(name), own: own === 1 };
  }

  /** The calls of a stack, the innermost first. */
  stack(innermost) {
    const calls = [];
    for (let at = innermost; at >= 0; at = calls.at(-1).caller) calls.push(this.call(at));
    return calls;
  }

  byStart(rows) {
    const { at } = this.incidents;
    return rows.sort((a, b) => at[a] - at[b] || a - b);
  }

  /** The incidents of each number of a column. */
  rowsOf(numbers) {
    const rows = [];
    numbers.forEach((number, row) => {
      if (number >= 0) (rows[number] ??= []).push(row);
    });
    return rows;
  }

  chain(row) {
    return groups(this.incidents.chain[row], 6).map(([thread, priority, site, source, dur, wanted]) =>
      ({ thread, priority, site: this.text(site), source: this.text(source), dur, wanted: this.text(wanted) }));
  }

  ownerStates(row) {
    return groups(this.incidents.states[row], 2).map(([state, dur]) => ({ state, dur }));
  }

  /** The threads that ran meanwhile. */
  ranMeanwhile(row) {
    return groups(this.incidents.ranMeanwhile[row], 3).map(([thread, priority, ran]) => ({ thread, priority, ran }));
  }

  /** The drawing of an incident, null if it was left out. Times are since the trace's start. */
  drawing(row) {
    const packed = this.timelines[this.places[row]];
    return packed === undefined ? null : {
      from: packed.from,
      to: packed.to,
      lanes: packed.lanes.map(lane => ({ ...lane, states: this.laneStates(lane, packed.from), slices: this.slices(lane, packed.from) })),
      waits: groups(packed.waits, 6).map(([lane, ownerLane, unseen, kind, start, dur]) =>
        ({ lane, ownerLane, unseen, kind: this.text(kind), from: packed.from + start, to: packed.from + start + dur })),
      frames: groups(packed.frames, 7).map(([start, dur, whole, deadline, missedBy, jank, missed]) =>
        ({ from: packed.from + start, to: packed.from + start + dur, whole, deadline, missedBy, jank: this.text(jank), missed })),
    };
  }

  laneStates(lane, start) {
    const states = [];
    let from = start;
    for (const [kind, dur] of groups(lane.states, 2)) {
      if (kind >= 0) states.push({ kind: this.kind(kind), from, to: from + dur });
      from += dur;
    }
    return states;
  }

  kind(index) {
    const [state, cpu, priority, text, waker] = this.kinds[index];
    return { state, cpu, priority, text: this.text(text), waker };
  }

  slices(lane, start) {
    let from = start;
    return groups(lane.slices, 4).map(([later, dur, depth, text]) => {
      from += later;
      return { from, to: from + dur, depth, text: this.text(text) };
    });
  }

  /** The frames that an incident cost time, the greatest cost first. */
  costs(row) {
    return groups(this.incidents.costs[row], 4).map(([cost, dur, missedBy, missed]) => ({ cost, dur, missedBy, missed }));
  }

  stateLabel(state) {
    return message("state." + this.text(state));
  }

  /** The name of a state's colour. */
  stateFill(state) {
    return STATE_FILLS[this.text(state)] ?? "unknown";
  }

  /** All that a search looks through, in lower case; made at the first search. */
  haystack(row) {
    this.haystacks ??= new Array(this.size);
    return this.haystacks[row] ??= this.words(row).join("\n").toLowerCase();
  }

  words(row) {
    const column = this.incidents;
    const blocked = this.thread(column.thread[row]);
    const words = [this.text(column.title[row]), blocked.name, blocked.process, blocked.facts,
      this.text(column.lock[row]), this.text(column.site[row]), this.text(column.source[row])];
    for (const link of this.chain(row)) {
      const owner = this.thread(link.thread);
      words.push(owner.name, owner.process, owner.facts, link.site, link.source, link.wanted);
    }
    return words;
  }
}

/** A list without structure in groups of so many. */
function groups(flat, size) {
  const groups = [];
  for (let i = 0; i < flat.length; i += size) groups.push(flat.slice(i, i + size));
  return groups;
}

/** The style sheet's name for the colour of a state. */
const STATE_FILLS = {
  RUNNING: "running", RUNNABLE: "ready", BLOCKED: "blocked", DEADLOCKED: "blocked", SLEEPING: "sleeping", IO_WAIT: "io",
  UNINTERRUPTIBLE: "kernel", STOPPED: "stopped", GC_PAUSE: "gc", REACHING_SAFEPOINT: "stopping", SAFEPOINT: "gc", JNI_CRITICAL: "gc", CRITICAL_CALL: "gc", UNKNOWN: "unknown",
};

/** Sorting: what it compares. The data are in the order of the text, and equal ones by length. */
const SORTS = {
  worst: { key: (report, row) => row },
  longest: { key: (report, row) => -report.incidents.dur[row] },
  earliest: { key: (report, row) => report.incidents.at[row] },
  verdict: { key: (report, row) => report.verdict(row).rank },
  thread: { key: (report, row) => report.thread(report.incidents.thread[row]).name },
  owner: { key: (report, row) => report.ownerName(row) },
};

/** The reader's choice of rows. */
class Choice {
  constructor() {
    this.text = "";
    this.leastNs = 0;
    this.thread = -1;
    this.verdicts = new Set(); // none stands for all
    this.sort = "worst";
  }

  rows(report) {
    const words = this.text.toLowerCase().split(/\s+/).filter(word => word !== "");
    const { dur, thread, verdict } = report.incidents;
    const rows = [];
    for (let row = 0; row < report.size; row++) {
      if (dur[row] >= this.leastNs
          && (this.thread < 0 || thread[row] === this.thread)
          && (this.verdicts.size === 0 || this.verdicts.has(verdict[row]))
          && words.every(word => report.haystack(row).includes(word))) {
        rows.push(row);
      }
    }
    const keys = new Map(rows.map(row => [row, SORTS[this.sort].key(report, row)]));
    const order = (a, b) => a < b ? -1 : a > b ? 1 : 0;
    return rows.sort((a, b) => order(keys.get(a), keys.get(b)) || dur[b] - dur[a]);
  }
}
