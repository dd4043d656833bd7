// Makes and changes elements. Text is only ever set as text: what the server sends comes from strangers.

/** An element with attributes, listeners (`onclick`) and children; null children are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Tells who cannot see it what has changed. */
export function announce(text) {
  const status = document.getElementById("status");
  status.textContent = status.textContent === text ? text + "\u00a0" : text;
}

export function number(value) { return value.toLocaleString("en"); }

export function plural(count, one, many = one + "s") {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Milliseconds since 1970 as a time; the machine's form stands beside it. */
export function time(milliseconds, clockOnly = false) {
  const moment = new Date(milliseconds);
  if (Number.isNaN(moment.getTime())) return h("span", {}, String(milliseconds));
  const iso = moment.toISOString();
  const day = clockOnly ? "" : iso.slice(0, 10) + " ";
  const clock = iso.slice(11, clockOnly || milliseconds % 1000 ? 23 : 19);
  return h("time", { datetime: iso, title: `${iso}, ${milliseconds} ms` }, day + clock + (clockOnly ? "" : " UTC"));
}

export function bytes(count) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  let value = count;
  while (value >= 1024 && unit < units.length - 1) { value /= 1024; unit += 1; }
  if (unit === 0) return plural(count, "byte");
  return `${value.toLocaleString("en", { maximumFractionDigits: 1 })} ${units[unit]}`;
}

/** A table whose columns are [heading, cell of a row, "number" or nothing]. The first is each row's heading. */
export function table(caption, columns, rows) {
  const head = columns.map(([name, , kind]) => h("th", { scope: "col", class: kind }, name));
  const body = rows.map((row) => h("tr", {}, columns.map(([name, cell, kind], index) =>
    h(index ? "td" : "th", { scope: index ? null : "row", class: kind, "data-name": name },
      h("div", {}, cell(row))))));
  return h("div", { class: "table" }, h("table", {},
    h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, head)), h("tbody", {}, body)));
}

/** A part of a view with its heading. */
export function section(title, { about = null, panel = false } = {}, ...content) {
  const id = `part-${section.count = (section.count ?? 0) + 1}`;
  return h("section", { class: `${panel ? "panel " : ""}stack`, "aria-labelledby": id },
    h("h2", { id }, title), about && h("p", { class: "quiet" }, about), content);
}

export function empty(...words) { return h("p", { class: "empty" }, words); }

export function button(label, onclick, kind = null, of = null) {
  return h("button", { type: "button", class: kind, onclick }, label, of && h("span", { class: "unseen" }, ` ${of}`));
}

/** A line of text that is typed, without the help of the browser. */
export function line(attributes = {}) {
  return h("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", ...attributes });
}

/** Names with what they stand for; pairs without a value are left out. */
export function facts(pairs) {
  return h("dl", { class: "facts" }, pairs
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/** What a view is made of, without what is left out. */
export function pieces(content) { return [content].flat(Infinity).filter(Boolean); }

export function badge(text, kind = "") { return h("span", { class: `badge ${kind}` }, text); }

/** A field of a form with its label, and words below it. */
export function labelled(label, input, hint = null) {
  const id = `field-${labelled.count = (labelled.count ?? 0) + 1}`;
  input.id = id;
  if (hint) input.setAttribute("aria-describedby", id + "-hint");
  return h("div", { class: "field" }, h("label", { for: id }, label), input,
    hint && h("p", { class: "hint", id: id + "-hint" }, hint));
}

export function choice(options, value = "", attributes = {}) {
  const select = h("select", attributes, options.map(([key, text]) => h("option", { value: key }, text)));
  select.value = value;
  return select;
}

/** What went wrong, in the place where the result would be. */
export function failure(error, again = null) {
  return h("div", { class: "failure", role: "alert" },
    h("p", {}, h("strong", {}, error.title ?? "Something went wrong")),
    h("p", {}, error.message),
    again && h("button", { type: "button", onclick: again }, "Try again"));
}

/** Shows what `load` makes, or why it could not; a later call wins over an earlier one. */
export async function fill(place, load) {
  const turn = place.turn = (place.turn ?? 0) + 1;
  place.setAttribute("aria-busy", "true");
  let content;
  try {
    content = await load();
  } catch (error) {
    content = failure(error, () => fill(place, load));
  }
  if (place.turn !== turn) return;
  place.removeAttribute("aria-busy");
  // What has been said once is not said again.
  const told = place.querySelector(":scope > .failure")?.textContent;
  if (told && told === content?.textContent) return;
  renew(place, content);
}

/** Shows something else in a place. What had the focus in it has it again, where there is the like of it. */
export function renew(place, content) {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  place.replaceChildren(...pieces(content));
  if (!focused) return;
  const like = [...place.querySelectorAll(focused.tagName)]
    .find((element) => element.textContent === focused.textContent && !element.disabled);
  if (!like) place.tabIndex = -1;
  (like ?? place).focus({ preventScroll: true });
}
