// The list of incidents: only the rows in sight exist, so that its length does not matter. It scrolls by itself beside an incident, and with
// the page where it has the screen for itself.

const ROW = 56;
const BEYOND = 4;

/** Whether the list scrolls with the page, as the style sheet has it for narrow screens. */
function withPage() {
  return matchMedia("(max-width: 800px)").matches;
}

class IncidentList {
  /** Calls select with the index of an incident whenever the reader chooses one. */
  constructor(report, place, select) {
    this.report = report;
    this.place = place;
    this.select = select;
    this.rows = [];
    this.chosen = -1; // a place in rows
    this.space = element("div", { class: "space", role: "presentation" });
    place.append(this.space);
    place.addEventListener("scroll", () => this.render());
    addEventListener("scroll", () => this.render(), { passive: true });
    addEventListener("resize", () => this.render());
    place.addEventListener("keydown", event => this.onKey(event));
    place.addEventListener("click", event => {
      const option = event.target.closest("[data-place]");
      if (option !== null) this.choose(Number(option.dataset.place));
    });
    new ResizeObserver(() => this.render()).observe(place);
  }

  /** Shows these incidents in this order. The selected incident stays selected if it is among them. */
  show(rows) {
    const incident = this.rows[this.chosen];
    this.rows = rows;
    this.chosen = rows.indexOf(incident);
    this.space.style.height = rows.length * ROW + "px";
    this.rendered = null;
    this.place.scrollTop = 0;
    if (this.chosen >= 0 && !withPage()) this.reveal(this.chosen); // with the page the filters would go out of sight
    this.render();
  }

  choose(place) {
    if (place < 0 || place >= this.rows.length) return;
    this.chosen = place;
    this.reveal(place);
    this.rendered = null;
    this.render();
    this.select(this.rows[place], place);
  }

  /** The visible range of the rows, in pixels from the first one's top. */
  sight() {
    const top = this.space.getBoundingClientRect().top;
    const box = this.place.getBoundingClientRect();
    return { from: Math.max(0, box.top) - top, to: Math.min(innerHeight, box.bottom) - top };
  }

  reveal(place) {
    const top = place * ROW;
    const height = this.place.clientHeight;
    if (top < this.place.scrollTop) this.place.scrollTop = top;
    else if (top + ROW > this.place.scrollTop + height) this.place.scrollTop = top + ROW - height;
    if (!withPage() || this.place.clientHeight === 0) return;
    const { from, to } = this.sight();
    if (top < from) scrollBy(0, top - from);
    else if (top + ROW > to) scrollBy(0, top + ROW - to);
  }

  render() {
    const { from, to } = this.sight();
    const first = Math.max(0, Math.floor(from / ROW) - BEYOND);
    const end = Math.min(this.rows.length, Math.ceil(Math.max(0, to) / ROW) + BEYOND);
    const sight = first + "-" + end;
    if (sight === this.rendered) return;
    this.rendered = sight;
    const options = [];
    for (let place = first; place < end; place++) options.push(this.option(place));
    this.space.replaceChildren(...options);
    const active = this.chosen >= first && this.chosen < end ? "option-" + this.chosen : null;
    if (active === null) this.place.removeAttribute("aria-activedescendant");
    else this.place.setAttribute("aria-activedescendant", active);
  }

  option(place) {
    const { report } = this;
    const row = this.rows[place];
    const column = report.incidents;
    const verdict = report.verdict(row).name;
    const option = element("div", {
      id: "option-" + place, class: "option verdict-" + verdict, role: "option", "data-place": place,
      "aria-selected": place === this.chosen ? "true" : "false", "aria-posinset": place + 1, "aria-setsize": this.rows.length,
    },
    element("div", { class: "first" },
      element("b", null, report.length(column.dur[row])), badge(verdict, verdict),
      column.lost[row] < 0 ? null : element("abbr", { class: "lost", title: report.text(column.lost[row]) }, message("page.lost")),
      element("span", { class: "dim" }, message("text.at", report.moment(column.at[row])))),
    element("div", { class: "second" }, ...whoByWhom(report, row).map(side => element("span", null, ...side))));
    option.style.top = place * ROW + "px";
    return option;
  }

  onKey(event) {
    const page = Math.max(1, Math.floor(Math.min(this.place.clientHeight, innerHeight) / ROW) - 1);
    const last = this.rows.length - 1;
    const places = {
      ArrowDown: this.chosen + 1, ArrowUp: Math.max(0, this.chosen - 1),
      PageDown: Math.min(last, this.chosen + page), PageUp: Math.max(0, this.chosen - page), Home: 0, End: last,
    };
    if (!(event.key in places) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.choose(places[event.key]);
  }
}
