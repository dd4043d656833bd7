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

/** Names with what they stand for; pairs without a value are left out. */
export function facts(pairs) {
  return h("dl", { class: "facts" }, pairs
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/**
 * Shows what `get` answers, and looks again now and then: what has changed is shown anew, unless somebody
 * is in it or in a dialog.
 */
export function follow(place, get, show, milliseconds) {
  let last = null;
  const load = () => fill(place, async () => {
    const answer = await get();
    last = JSON.stringify(answer);
    return show(answer);
  });
  load();
  const timer = setInterval(async () => {
    if (document.hidden || document.querySelector("dialog") || place.contains(document.activeElement)) return;
    try {
      if (JSON.stringify(await get()) !== last) await load();
    } catch { /* The bar says that the server is not reached. */ }
  }, milliseconds);
  return { load, close: () => clearInterval(timer) };
}

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
  place.replaceChildren(...[content].flat(Infinity).filter(Boolean));
}

/**
 * A dialog with a form: `send` is called with it on submit, and what it throws is shown inside.
 * Escape and Cancel close it, and focus goes back to where it was.
 */
export function dialog({ title, about, body = [], action, danger = false, send }) {
  const opener = document.activeElement;
  const problem = h("div", {});
  const submit = h("button", { class: danger ? "danger" : "primary" }, action);
  const form = h("form", { method: "dialog" },
    h("h2", { id: "dialog-title" }, title),
    about && h("p", { id: "dialog-about" }, about), body, problem,
    h("div", { class: "actions" },
      h("button", { type: "button", onclick: () => element.close() }, "Cancel"), submit));
  const element = h("dialog", { "aria-labelledby": "dialog-title", "aria-describedby": about ? "dialog-about" : null }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      await send(form);
      element.close();
    } catch (error) {
      problem.replaceChildren(failure(error));
    } finally {
      submit.disabled = false;
    }
  });
  element.addEventListener("close", () => {
    element.remove();
    if (opener?.isConnected) opener.focus();
  });
  document.body.append(element);
  element.showModal();
  return element;
}

/** Puts a text on the clipboard, or shows it for copying where that is not allowed. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} copied`);
    return true;
  } catch {
    const area = h("textarea", { rows: 8, readonly: true, "aria-label": what, value: text });
    dialog({ title: `Copy ${what}`, about: "The browser does not let this page write to the clipboard.",
      body: area, action: "Done", send: async () => {} });
    area.select();
    return false;
  }
}

/** A button that says for a moment that it has copied. */
export function copyButton(label, what, text) {
  const button = h("button", { type: "button", onclick: async () => {
    if (!await copy(text(), what)) return;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  } }, label);
  return button;
}
