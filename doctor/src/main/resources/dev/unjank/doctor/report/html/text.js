// Elements and words: all that makes text of data. Nothing here, nor anywhere else in the page, makes markup of text.

/** The messages of the catalogue by key. */
let messages = {};

/** A message with its arguments in place of {0}, {1} and so on. */
function message(key, ...values) {
  return phrase(key, ...values).join("");
}

/** The same in parts, for arguments that are elements. */
function phrase(key, ...values) {
  return messages[key].split(/(\{\d\})/).map((part, index) => index % 2 === 0 ? part : values[Number(part[1])]);
}

/** An element: tag, properties, children. Text children stay text. */
function element(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

/** Text of the trace: its direction of writing must not turn that of what is around it. */
function foreign(text, properties) {
  return element("bdi", properties, text);
}

/** The same for a long name, which may break after its dots. */
function foreignPath(text, properties) {
  const parts = text.split(/(?<=[.$/])/).flatMap((part, index) => index === 0 ? [part] : [element("wbr"), part]);
  return element("bdi", properties, ...parts);
}

const DECIMAL = new Intl.NumberFormat("en", { minimumFractionDigits: 3, maximumFractionDigits: 3 });

function milliseconds(ns) {
  return DECIMAL.format(ns / 1e6) + " ms";
}

function seconds(ns) {
  return DECIMAL.format(ns / 1e9) + " s";
}

function isSeconds(ns) {
  return Math.round(ns / 1e3) >= 1e6;
}

/** A time to the microsecond, or to the millisecond from one second on: as the text report writes it. */
function time(ns) {
  return isSeconds(ns) ? seconds(ns) : milliseconds(ns);
}

/** How the times of a column are written, all in one unit, so that the eye can compare them. */
function column(times) {
  return times.every(ns => ns === 0 || isSeconds(ns)) ? seconds : milliseconds;
}

/** A time on an axis that shows so much and whose marks lie a step apart. */
function mark(ns, step, shown) {
  const [unit, name] = isSeconds(shown) ? [1e9, " s"] : [1e6, " ms"];
  const digits = Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9));
  const sign = ns < 0 && Math.abs(ns) > step / 2 ? "−" : "";
  return sign + (Math.abs(ns) / unit).toFixed(digits) + name;
}

function percent(part, whole) {
  const share = Math.round(100 * part / Math.max(1, whole));
  return share === 0 && part > 0 ? "<1 %" : share + " %";
}

/** A count with a noun of the catalogue. */
function count(number, noun) {
  return message(number === 1 ? `count.${noun}.one` : `count.${noun}.other`, number.toLocaleString("en"));
}

/**
 * The waiter and its owner, as far as it is known and another thread; of a thread without a CPU the thread that ran meanwhile. A row cuts the former
 * short where it must, with a gap behind it: so no mark comes between the two.
 */
function whoByWhom(report, row) {
  const blocked = foreign(report.thread(report.incidents.thread[row]).name);
  const dim = words => element("span", { class: "dim" }, words);
  const owner = report.ownerName(row);
  if (owner !== "") return [[blocked], [dim(message("page.by")), foreign(owner)]];
  const [meanwhile] = report.verdict(row).name === "NO_CPU" ? report.ranMeanwhile(row) : [];
  return meanwhile === undefined ? [[blocked]]
    : [[blocked], phrase("page.whileRan", foreign(report.thread(meanwhile.thread).name)).map(part => typeof part === "string" ? dim(part) : part)];
}

/** PRIORITY_INVERSION as people read it. */
function plain(name) {
  return name.toLowerCase().replaceAll("_", " ")
    .replace(/\b(cpu|gc|jni)\b/g, word => word.toUpperCase()).replace(/\bio\b/, "I/O");
}

/** For a canvas, as foreign() is for the document: U+2068 and U+2069 begin and end an isolate. */
function isolated(text) {
  return "\u2068" + text + "\u2069";
}
