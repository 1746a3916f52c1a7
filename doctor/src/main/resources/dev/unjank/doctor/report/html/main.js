// Puts the page together.

(async function main() {
  const byId = id => document.getElementById(id);
  if (!("DecompressionStream" in window)) {
    byId("too-old").hidden = false;
    return;
  }
  const report = new Report(await unpacked(byId("data").textContent));
  messages = report.messages;
  const choice = new Choice();
  const details = new Details(report, byId("incident"));
  const list = new IncidentList(report, byId("list"), show);
  const overview = new Overview(report, byId("overview"), showIncident);
  let isOpening = true;
  const panels = byId("panels");
  const tabs = byId("tabs");

  byId("trace").textContent = report.trace;
  const duration = message("trace.duration", time(report.dur));
  byId("tally").textContent = message("page.tally", report.isLengthDoubtful ? message("trace.doubtfulDuration", duration) : duration,
    report.size === 0 ? message("page.noIncidents")
      : message("page.inAll", count(report.size, "incident"), time(report.incidents.dur.reduce((sum, dur) => sum + dur, 0))));
  byId("answer").append(...finding(report.answer));
  byId("warnings").append(...warnings(report));

  const table = report.causes.length === 0 ? null : addCauses();
  if (table === null && report.samples.length > 0) addPanel("stacks", message("page.icicle.samples"), new Icicle(report).content(), "wide");
  addTab("incidents", message("page.incidents"));
  if (report.frames.length > 0) addPanel("frames", report.framesLabel, frames(report, showIncident));
  if (report.startups.length > 0) addPanel("startups", message("page.startups"), startups(report));
  addPanel("summary", message("page.summary"), summary(report));
  openTab(tabs.firstChild.id.slice("tab-".length));

  makeFilters();
  refresh();
  if (report.size > 0) choose(report.worst, true);
  else showNothing();
  follow(location.hash);
  isOpening = false;

  addEventListener("hashchange", () => follow(location.hash));
  onThemeChange(() => {
    overview.draw();
    details.view?.redraw();
  });
  document.body.dataset.ready = "";
  performance.mark("ready");

  function addCauses() {
    const icicle = new Icicle(report);
    const causes = new CauseTable(report, {
      opened: cause => {
        icicle.select(cause);
        remember(cause === null ? "#" : "#cause-" + cause.rank);
      },
      showIncident,
    });
    const lanes = new GroupLanes(report, index => causes.reveal(index));
    const content = [...causes.content(), ...lanes.content(), ...icicle.content()];
    addPanel("causes", message("page.causes"), content, "wide");
    return causes;
  }

  /** Goes where an address leads: #3 to an incident, #cause-2 to a root cause. */
  function follow(hash) {
    const [, isCause, number] = /^#(cause-)?(\d+)$/.exec(hash) ?? [];
    const index = Number(number) - 1;
    if (isCause && index >= 0 && index < report.causes.length) {
      openTab("causes");
      table.reveal(index);
    } else if (!isCause && index >= 0 && index < report.size) {
      showIncident(index);
    }
  }

  function remember(hash) {
    if (!isOpening) history.replaceState(null, "", hash);
  }

  function showIncident(row) {
    openTab("incidents");
    choose(row);
  }

  /** The form of the main finding: its summary, then its labelled fields. */
  function finding({ summary, labels, values }) {
    const facts = labels.flatMap((label, index) => [element("dt", null, label), element("dd", null, ...withLinks(values[index]))]);
    return [...summary.map(line => element("p", null, ...withLinks(line))), element("dl", { class: "facts" }, ...facts)];
  }

  /** A string in which (incident #3) leads to the incident of that number. */
  function withLinks(text) {
    return text.split(/(?<=\(incident )(#\d+)(?=\))/).map((part, index) => index % 2 === 0 || Number(part.slice(1)) > report.size
      ? foreign(part) : element("a", { href: part, onclick: () => follow(part) }, part));
  }

  /** Without an incident there is nothing to choose from. */
  function showNothing() {
    byId("overview").hidden = true;
    byId("panel-incidents").classList.add("nothing");
    byId("incident").append(element("p", { class: "note" }, message(report.warnings.length > 0 ? "page.nothingAndWarnings" : "page.nothing")));
  }

  /** Shows what fits the filters. */
  function refresh() {
    const rows = choice.rows(report);
    list.show(rows);
    byId("shown").textContent = rows.length === report.size
      ? count(rows.length, "incident") : message("page.shownOf", rows.length.toLocaleString("en"), count(report.size, "incident"));
  }

  /** Chooses an incident by its index, dropping filters that hide it. */
  function choose(row, quietly) {
    if (!list.rows.includes(row)) {
      Object.assign(choice, new Choice());
      byId("filter-text").form.reset();
      byId("filter-verdicts").querySelectorAll("button").forEach(chip => chip.setAttribute("aria-pressed", "false"));
      refresh();
    }
    list.choose(list.rows.indexOf(row));
    if (quietly) document.body.classList.remove("reading");
  }

  /** Shows a row of the list in full. On a narrow screen it takes the list's place. */
  function show(row, place) {
    const to = other => other >= 0 && other < list.rows.length ? () => list.choose(other) : null;
    details.show(row, {
      number: row + 1, before: to(place - 1), after: to(place + 1),
      back: () => {
        document.body.classList.remove("reading");
        byId("list").focus({ preventScroll: true });
        list.reveal(place);
        list.render();
      },
    });
    overview.choose(row);
    document.body.classList.add("reading");
    if (withPage()) scrollTo(0, 0);
    remember("#" + (row + 1));
  }

  function makeFilters() {
    const text = byId("filter-text");
    text.addEventListener("input", () => change({ text: text.value }));
    const least = byId("filter-ms");
    least.addEventListener("input", () => change({ leastNs: (Number(least.value) || 0) * 1e6 }));
    text.form.addEventListener("submit", event => event.preventDefault());

    const threads = byId("filter-thread");
    threads.append(element("option", { value: -1 }, message("page.everyThread")),
      ...tally(report.incidents.thread).slice(0, 500).map(([thread, times]) =>
        element("option", { value: thread }, `${report.thread(thread).name} (${times})`)));
    threads.addEventListener("change", () => change({ thread: Number(threads.value) }));

    const sort = byId("sort");
    sort.append(...Object.keys(SORTS).map(key => element("option", { value: key }, message("page.sort." + key))));
    sort.addEventListener("change", () => change({ sort: sort.value }));

    byId("filter-verdicts").append(...tally(report.incidents.verdict).map(([index, times]) => {
      const name = report.text(index);
      const chip = element("button", {
        type: "button", class: "chip verdict-" + name, "aria-pressed": "false",
        onclick: () => {
          const pressed = !choice.verdicts.delete(index);
          if (pressed) choice.verdicts.add(index);
          chip.setAttribute("aria-pressed", String(pressed));
          refresh();
        },
      }, `${plain(name)} ${times.toLocaleString("en")}`);
      return chip;
    }));
  }

  function change(wish) {
    Object.assign(choice, wish);
    refresh();
  }

  /** How often each number occurs, the most frequent first. */
  function tally(numbers) {
    const times = new Map();
    for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1);
    return [...times].sort(([, a], [, b]) => b - a);
  }

  function addTab(name, title) {
    tabs.append(element("button", {
      type: "button", role: "tab", id: "tab-" + name, "aria-controls": "panel-" + name,
      onclick: () => openTab(name), onkeydown: changeTab,
    }, title));
  }

  function addPanel(name, title, content, kind = "prose") {
    addTab(name, title);
    panels.append(element("section", {
      role: "tabpanel", id: "panel-" + name, class: kind, tabindex: 0, "aria-labelledby": "tab-" + name,
    }, ...content.filter(part => part !== null)));
  }

  function openTab(name) {
    for (const tab of tabs.children) {
      const open = tab.id === "tab-" + name;
      tab.setAttribute("aria-selected", String(open));
      tab.tabIndex = open ? 0 : -1;
      byId(tab.getAttribute("aria-controls")).hidden = !open;
    }
    if (name === "incidents" && list.chosen >= 0) list.reveal(list.chosen);
  }

  function changeTab(event) {
    const all = [...tabs.children];
    const at = all.indexOf(event.target);
    const next = { ArrowLeft: all.at(at - 1), ArrowRight: all[(at + 1) % all.length], Home: all[0], End: all.at(-1) }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
    next.click();
  }
})();
