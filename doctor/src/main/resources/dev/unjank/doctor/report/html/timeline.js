// Draws a scene on a canvas, and takes wheel, pointer and keys.

const AXIS = 24;
const ZOOM_STEP = 1.5;

class TimelineView {
  /** Passes to a function what the pointer or the keyboard is at, null for nothing. */
  constructor(scene, describe) {
    this.scene = scene;
    this.describe = describe;
    this.ruler = new Ruler(scene.drawing.from, scene.drawing.to);
    this.hovered = null;
    this.focused = null; // { row, index }
    this.pointers = new Map();
    this.canvas = element("canvas", {
      class: "timeline", tabindex: 0, role: "application", "aria-roledescription": message("page.timeline.role"),
      "aria-label": message("page.timeline.help"),
    });
    this.context = this.canvas.getContext("2d");
    this.listen();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.canvas);
  }

  close() {
    this.observer.disconnect();
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = Math.max(1, this.canvas.clientWidth);
    this.height = AXIS + this.scene.height;
    this.ruler.width = this.width;
    this.canvas.style.height = this.height + "px";
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.draw();
  }

  /** Draws before the next frame, once, however often it is asked to. */
  redraw() {
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.draw();
    });
  }

  draw() {
    const { context, scene } = this;
    context.save();
    context.fillStyle = colour("panel");
    context.fillRect(0, 0, this.width, this.height);
    context.textBaseline = "middle";
    context.direction = "ltr";
    this.drawIncident(0, AXIS, this.width, this.height);
    this.drawAxis();
    context.translate(0, AXIS);
    this.drawDeadlines();
    scene.links.forEach(link => this.drawLink(link));
    scene.labels.forEach(label => this.drawLabel(label));
    this.nameDeadlines();
    scene.rows.forEach(row => this.drawRow(row));
    this.drawRing();
    context.restore();
    this.canvas.dataset.shown = `${Math.round(this.ruler.from)} to ${Math.round(this.ruler.to)}`;
  }

  /** Shades the incident's time within an area. */
  drawIncident(x, y, width, height) {
    const { context, ruler, scene } = this;
    const from = Math.max(x, ruler.x(scene.start));
    const to = Math.min(x + width, Math.max(ruler.x(scene.start) + 1, ruler.x(scene.end)));
    if (to <= from) return;
    context.fillStyle = colour("incident");
    context.fillRect(from, y, to - from, height);
  }

  /** Words on a ground of their own, so that no arrow or deadline goes through them; returns where they end. */
  drawWords(words, x, y, fill) {
    const { context } = this;
    const end = x + context.measureText(words).width;
    context.fillStyle = colour("panel");
    context.fillRect(x - 3, y, end - x + 6, WORDS);
    this.drawIncident(x - 3, y, end - x + 6, WORDS);
    context.fillStyle = colour(fill);
    context.fillText(words, x, y + WORDS / 2);
    return end;
  }

  drawAxis() {
    const { context, ruler, scene } = this;
    const relative = new Ruler(ruler.first - scene.start, ruler.last - scene.start);
    relative.width = this.width;
    relative.show(ruler.from - scene.start, ruler.to - scene.start);
    const { marks, step } = relative.marks(110);
    context.font = font(11);
    context.strokeStyle = colour("line");
    context.fillStyle = colour("dim");
    context.beginPath();
    for (const ns of marks) {
      const x = Math.round(relative.x(ns)) + 0.5;
      context.moveTo(x, AXIS - 6);
      context.lineTo(x, this.height);
      if (x < this.width - 44) context.fillText(mark(ns, step, ruler.to - ruler.from), x + 4, 10);
    }
    context.stroke();
  }

  drawLabel({ y, role, name, facts }) {
    const { context } = this;
    let x = 0;
    for (const [text, weight, fill] of [[role, "", "dim"], [name, "600 ", "text"], [facts, "", "dim"]]) {
      if (text === "" || x > this.width - 24) continue;
      context.font = weight + font(12);
      x = this.drawWords(this.fitted(text, this.width - x), x, y, fill) + 6;
    }
  }

  drawRow(row) {
    const { context, ruler } = this;
    context.font = font(11);
    let drawn = -1; // up to here something is drawn: a stretch that lies wholly within that column is not seen
    for (const item of row.items) {
      if (item.to <= ruler.from || item.from >= ruler.to) continue;
      const x = Math.max(-1, ruler.x(item.from));
      const end = Math.min(this.width + 1, ruler.x(item.to));
      if (end <= drawn) continue;
      const width = Math.max(1, end - x);
      drawn = Math.max(drawn, Math.floor(x + width));
      const thin = row.thin && (item.fill === "sleeping" || item.fill === "unknown");
      const shape = [x, row.y + (thin ? row.height / 2 - 2 : 0), width - (width > 3 ? 1 : 0), thin ? 4 : row.height];
      context.fillStyle = colour(item.fill);
      context.fillRect(...shape);
      if (item.fill === "free") {
        context.strokeStyle = colour("blocked");
        context.lineWidth = 1;
        context.strokeRect(shape[0] + 0.5, shape[1] + 0.5, shape[2] - 1, shape[3] - 1);
      }
      if (width > 30 && !thin) {
        context.fillStyle = colour("on-" + item.fill);
        const left = Math.max(0, x) + 4;
        context.fillText(this.fitted(item.label, end - left - 4), left, row.y + row.height / 2 + 0.5);
      }
    }
  }

  drawDeadlines() {
    const { context, ruler, scene } = this;
    context.save();
    context.setLineDash([5, 4]);
    context.lineWidth = 1.5;
    for (const { at, missed } of scene.deadlines) {
      if (at < ruler.from || at > ruler.to) continue;
      const x = ruler.x(at);
      context.strokeStyle = colour(missed ? "deadline" : "dim");
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, scene.height);
      context.stroke();
    }
    context.restore();
  }

  /** Beside the lines of those that were missed, as far as there is room in the line of words above the frames. */
  nameDeadlines() {
    const { context, ruler, scene } = this;
    context.font = font(12);
    let end = scene.deadlines.length === 0 ? 0 : context.measureText(scene.labels[0].role).width;
    context.font = font(11);
    const word = message("page.deadline");
    const width = context.measureText(word).width;
    for (const { at, missed } of scene.deadlines) {
      const line = ruler.x(at);
      if (!missed || at < ruler.from || at > ruler.to) continue;
      const x = line + 4 + width <= this.width ? line + 4 : line - 4 - width;
      if (x > end + 6) end = this.drawWords(word, x, 0, "deadline");
    }
  }

  drawLink({ at, y, to }) {
    const { context, ruler } = this;
    if (at < ruler.from || at > ruler.to || Math.abs(to - y) < 4) return;
    const x = Math.min(this.width - 4, Math.max(4, ruler.x(at)));
    const turn = to > y ? 1 : -1;
    context.strokeStyle = context.fillStyle = colour("blocked");
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x, to - 5 * turn);
    context.stroke();
    context.beginPath();
    context.moveTo(x, to);
    context.lineTo(x - 4, to - 7 * turn);
    context.lineTo(x + 4, to - 7 * turn);
    context.fill();
  }

  drawRing() {
    const { context, ruler } = this;
    for (const [at, fill] of [[this.hovered, "dim"], [this.focused, "text"]]) {
      if (at === null) continue;
      const row = this.scene.rows[at.row];
      const item = row.items[at.index];
      const x = Math.max(1, ruler.x(item.from));
      const end = Math.min(this.width - 1, ruler.x(item.to));
      if (end < 0 || x > this.width) continue;
      context.strokeStyle = colour(fill);
      context.lineWidth = 2;
      context.strokeRect(x, row.y, Math.max(2, end - x - 1), row.height);
    }
  }

  /** A string cut to a width. */
  fitted(text, width) {
    const { context } = this;
    if (context.measureText(text).width <= width) return text;
    let low = 0;
    let high = Math.min(text.length, Math.ceil(width / 3));
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (context.measureText(text.slice(0, middle) + "…").width <= width) low = middle;
      else high = middle - 1;
    }
    return low === 0 ? "" : text.slice(0, low) + "…";
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("wheel", event => this.onWheel(event), { passive: false });
    canvas.addEventListener("pointerdown", event => this.onDown(event));
    canvas.addEventListener("pointermove", event => this.onMove(event));
    canvas.addEventListener("pointerup", event => this.onUp(event));
    canvas.addEventListener("pointercancel", event => this.pointers.delete(event.pointerId));
    canvas.addEventListener("pointerleave", () => this.hover(null));
    canvas.addEventListener("dblclick", event => this.zoomTo(this.at(event)));
    canvas.addEventListener("keydown", event => this.onKey(event));
    canvas.addEventListener("blur", () => this.focus(null));
  }

  /** The wheel scrolls the page until the reader has chosen the timeline, or holds Ctrl as a pinch on a touchpad does. */
  onWheel(event) {
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    if (!sideways && !event.ctrlKey && !event.metaKey && document.activeElement !== this.canvas) return;
    event.preventDefault();
    if (sideways) this.ruler.pan(event.deltaX || event.deltaY);
    else this.ruler.zoom(Math.exp(event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), event.offsetX);
    this.redraw();
  }

  onDown(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, event.offsetX);
    this.moved = 0;
  }

  onMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (before === undefined) {
      this.hover(this.at(event));
      return;
    }
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, x]) => x);
    if (others.length === 0) {
      this.ruler.pan(before - event.offsetX);
    } else { // a pinch: what the fingers were at stays under them
      const least = 8;
      const was = Math.max(least, Math.abs(before - others[0]));
      const is = Math.max(least, Math.abs(event.offsetX - others[0]));
      this.ruler.zoom(was / is, others[0]);
    }
    this.moved += Math.abs(event.offsetX - before);
    this.pointers.set(event.pointerId, event.offsetX);
    this.redraw();
  }

  onUp(event) {
    this.pointers.delete(event.pointerId);
    if (this.moved < 4) this.focus(this.at(event));
  }

  onKey(event) {
    if (event.altKey || event.metaKey || (event.ctrlKey && !"+-=0".includes(event.key))) return;
    const step = this.width / 5;
    const actions = {
      "+": () => this.zoomAt(1 / ZOOM_STEP), "=": () => this.zoomAt(1 / ZOOM_STEP),
      "-": () => this.zoomAt(ZOOM_STEP), "_": () => this.zoomAt(ZOOM_STEP),
      "0": () => this.showAll(), "Home": () => this.showAll(),
      "Enter": () => this.zoomTo(this.focused),
      "Escape": () => this.focus(null),
      "ArrowLeft": () => event.shiftKey ? this.pan(-step) : this.step(-1),
      "ArrowRight": () => event.shiftKey ? this.pan(step) : this.step(1),
      "ArrowUp": () => this.changeRow(-1),
      "ArrowDown": () => this.changeRow(1),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
    this.redraw();
  }

  pan(pixels) {
    this.ruler.pan(pixels);
    this.redraw();
  }

  /** Zooms around what has the focus, or around the middle. */
  zoomAt(factor) {
    const item = this.item(this.focused);
    const x = item === null ? this.width / 2 : this.ruler.x((item.from + item.to) / 2);
    this.ruler.zoom(factor, Math.min(this.width, Math.max(0, x)));
    this.redraw();
  }

  showAll() {
    this.ruler.show(this.ruler.first, this.ruler.last);
    this.redraw();
  }

  zoomTo(at) {
    const item = this.item(at);
    if (item === null) return;
    const margin = (item.to - item.from) / 8;
    this.ruler.show(item.from - margin, item.to + margin);
    this.redraw();
  }

  step(by) {
    if (this.focused === null) {
      this.enter();
      return;
    }
    const { row, index } = this.focused;
    const last = this.scene.rows[row].items.length - 1;
    this.focus({ row, index: Math.min(last, Math.max(0, index + by)) });
  }

  /** To the row above or below, to what happens there at the same time. */
  changeRow(by) {
    if (this.focused === null) {
      this.enter();
      return;
    }
    const { rows } = this.scene;
    const item = this.item(this.focused);
    const middle = (Math.max(item.from, this.ruler.from) + Math.min(item.to, this.ruler.to)) / 2;
    for (let row = this.focused.row + by; row >= 0 && row < rows.length; row += by) {
      if (rows[row].items.length > 0) {
        this.focus({ row, index: nearest(rows[row].items, middle) });
        return;
      }
    }
  }

  /** Begins with the wait itself. */
  enter() {
    const { rows, start } = this.scene;
    const wait = rows.findIndex(one => one.items.some(({ fill }) => fill === "blocked" || fill === "free"));
    const row = wait >= 0 ? wait : rows.findIndex(one => one.items.length > 0);
    if (row >= 0) this.focus({ row, index: nearest(rows[row].items, start) });
  }

  item(at) {
    return at === null ? null : this.scene.rows[at.row].items[at.index];
  }

  at(event) {
    const row = this.scene.rowAt(event.offsetY - AXIS);
    if (row === null) return null;
    const ns = this.ruler.ns(event.offsetX);
    const slack = (this.ruler.to - this.ruler.from) / this.width * 2;
    const index = row.items.findIndex(item => ns >= item.from && ns < item.to);
    const near = index >= 0 ? index : row.items.findIndex(item => ns >= item.from - slack && ns < item.to + slack);
    return near < 0 ? null : { row: this.scene.rows.indexOf(row), index: near };
  }

  hover(at) {
    this.hovered = at;
    this.describe(this.item(at ?? this.focused));
    this.redraw();
  }

  focus(at) {
    this.focused = at;
    const item = this.item(at);
    if (item !== null) this.ruler.reveal(item.from, item.to);
    this.describe(item);
    this.redraw();
  }
}

/** The index of the item that covers a moment, or else begins or ends nearest to it. */
function nearest(items, ns) {
  const distance = item => Math.max(item.from - ns, ns - item.to, 0);
  let best = 0;
  items.forEach((item, index) => {
    if (distance(item) < distance(items[best])) best = index;
  });
  return best;
}

function font(size) {
  return size + "px system-ui, sans-serif";
}

/** A colour of the style sheet, so that light and dark are decided in one place. */
function colour(name) {
  return colours[name] ??= getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

let colours = {};

/** Calls back when the reader's system changes between light and dark. */
function onThemeChange(action) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    colours = {};
    action();
  });
}
