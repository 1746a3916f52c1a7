// Time to columns and back.

/** The part of a stretch of time that is on show. Times are ns, places are CSS pixels. */
class Ruler {
  constructor(from, to) {
    this.first = from;
    this.last = to;
    this.width = 1;
    this.show(from, to);
  }

  /** Shows a part, moved and widened as far as needed to lie within the whole and be at least 100 ns long. */
  show(from, to) {
    const length = Math.min(Math.max(to - from, 100), this.last - this.first);
    this.from = Math.min(Math.max(from, this.first), this.last - length);
    this.to = this.from + length;
  }

  x(ns) {
    return (ns - this.from) / (this.to - this.from) * this.width;
  }

  ns(x) {
    return this.from + x / this.width * (this.to - this.from);
  }

  /** Makes all wider (a factor below 1) or narrower; what is at a place stays there. */
  zoom(factor, x) {
    const at = this.ns(x);
    const length = Math.min((this.to - this.from) * factor, this.last - this.first);
    const from = at - x / this.width * length;
    this.show(from, from + length);
  }

  pan(pixels) {
    const ns = pixels / this.width * (this.to - this.from);
    this.show(this.from + ns, this.to + ns);
  }

  /** Moves as little as needed for a stretch to be seen. */
  reveal(from, to) {
    if (to - from > this.to - this.from || from < this.from) this.show(from, from + this.to - this.from);
    else if (to > this.to) this.show(to - (this.to - this.from), to);
  }

  /** Round moments, far enough apart for a label between them. */
  marks(apart) {
    const least = (this.to - this.from) / Math.max(1, this.width / apart);
    const power = 10 ** Math.floor(Math.log10(least));
    const step = power * [1, 2, 5, 10].find(n => n * power >= least);
    const marks = [];
    for (let ns = Math.ceil(this.from / step) * step; ns <= this.to; ns += step) marks.push(ns);
    return { marks, step };
  }
}
