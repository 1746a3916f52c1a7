// The strip of all incidents at the top.

/** Draws marks of time below a line, with their words. */
function drawMarks(context, dur, width, top, height) {
  const ruler = new Ruler(0, Math.max(1, dur));
  ruler.width = width;
  const { marks, step } = ruler.marks(110);
  context.font = font(11);
  context.textBaseline = "middle";
  context.fillStyle = colour("dim");
  context.strokeStyle = colour("line");
  context.lineWidth = 1;
  context.beginPath();
  for (const ns of marks) {
    const x = Math.round(ruler.x(ns)) + 0.5;
    context.moveTo(x, top);
    context.lineTo(x, top + height);
    if (x < width - 30) context.fillText(mark(ns, step, dur), x + 4, top + height / 2);
  }
  context.moveTo(0, top - 0.5);
  context.lineTo(width, top - 0.5);
  context.stroke();
}

/** The distance in pixels at which the pointer hits an item. */
const REACH = 3;

/** Wider items are drawn as outlines, and do not cover shorter ones. */
const WIDE = 8;

/** All incidents over the time of the trace, those that take ten times as long a step higher: a click chooses the nearest. */
class Overview {
  constructor(report, canvas, select) {
    this.report = report;
    this.canvas = canvas;
    this.chosen = -1;
    const { dur } = report.incidents;
    this.order = dur.map((_, row) => row).sort((a, b) => dur[b] - dur[a]); // the longest lie below the others
    new ResizeObserver(() => this.draw()).observe(canvas);
    canvas.addEventListener("click", event => select(this.nearest(event.offsetX)));
  }

  choose(row) {
    this.chosen = row;
    this.draw();
  }

  x(ns) {
    return ns / Math.max(1, this.report.dur) * this.canvas.clientWidth;
  }

  /** Of those at a place the shortest, which is drawn uppermost. */
  nearest(x) {
    const { at, dur } = this.report.incidents;
    const distance = row => Math.max(this.x(at[row]) - x, x - this.x(at[row] + dur[row]), REACH);
    return this.order.reduce((best, row) => distance(row) <= distance(best) ? row : best);
  }

  /** From a third of the room for the shortest to all of it for the longest, by the logarithm. */
  tall(row, room) {
    const { dur } = this.report.incidents;
    const longest = Math.log(Math.max(1, dur[this.order[0]]));
    const shortest = Math.log(Math.max(1, dur[this.order.at(-1)]));
    return room * (1 - (longest - Math.log(Math.max(1, dur[row]))) / Math.max(Math.log(10), longest - shortest) * 2 / 3);
  }

  draw() {
    const { canvas, report } = this;
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawMarks(context, report.dur, width, height - 14, 14);
    const { at, dur, verdict } = report.incidents;
    const room = height - 18;
    for (const row of this.order) {
      const tall = Math.round(this.tall(row, room));
      const stretch = [this.x(at[row]), height - 15 - tall, Math.max(2, this.x(dur[row])), tall];
      context.fillStyle = context.strokeStyle = colour("verdict-" + report.text(verdict[row]));
      if (stretch[2] > WIDE) {
        context.globalAlpha = 0.2;
        context.fillRect(...stretch);
        context.globalAlpha = 1;
        context.strokeRect(stretch[0] + 0.5, stretch[1] + 0.5, stretch[2] - 1, tall);
      } else {
        context.fillRect(...stretch);
      }
    }
    if (this.chosen >= 0) {
      const x = this.x(at[this.chosen] + dur[this.chosen] / 2);
      context.fillStyle = colour("text");
      context.beginPath();
      context.moveTo(x - 5, 0);
      context.lineTo(x + 5, 0);
      context.lineTo(x, 6);
      context.fill();
    }
  }
}
