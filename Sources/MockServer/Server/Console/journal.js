// The requests as they come, why they failed, and how to make one fail again.
import { ask, link } from "./api.js";
import { announce, badge, bytes, choice, copyButton, dialog, facts, failure, fill, h, labelled, plural, table, time } from "./dom.js";
import { addFault } from "./faults.js";
import { LongList } from "./list.js";

const entriesMax = 2000;
const pageEntries = 500;
const waitMilliseconds = 1000;
const filterNames = ["operation", "user", "container", "zone", "scope", "status", "fault"];

export function open(parameters) { return new Journal(parameters); }

class Journal {
  #last = 0;
  #turn = 0;
  #timer = 0;
  #paused = false;
  #counts = "";
  #entry = null;
  #failed = false;
  #hasOlder = false;

  constructor(parameters) {
    this.parameters = parameters;
    const text = (name, hint) => h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: hint, value: parameters[name] ?? "" });
    this.inputs = {
      operation: text("operation", "records/*"), user: text("user", "ann"), container: text("container", "iCloud.*"),
      zone: text("zone", "Notes*"), status: h("input", { type: "text", inputmode: "numeric", autocomplete: "off", placeholder: "200", value: parameters.status ?? "" }),
      fault: text("fault", "fault-1"),
      scope: choice([["", "all"], ["private", "private"], ["shared", "shared"], ["public", "public"]], parameters.scope ?? ""),
    };
    this.failures = h("input", { type: "checkbox", id: "only-failures" });
    this.failures.checked = parameters.failures === "1";
    this.pause = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.#toggle() }, "Pause");
    this.count = h("p", { class: "quiet", id: "journal-count" }, "Loading…");
    this.trouble = h("div", {});
    this.list = new LongList({
      label: "Requests, the newest first", key: (entry) => entry.number, row,
      open: (entry) => { location.hash = this.#address(entry.number); },
    });
    this.list.element.setAttribute("aria-describedby", "journal-count");
    this.detail = h("section", { class: "detail", "aria-label": "Request" });
    this.split = h("div", { class: "split" },
      h("section", { class: "side", "aria-label": "Requests" },
        h("details", { class: "filter-fold", open: filterNames.some((name) => parameters[name]) },
          h("summary", {}, "Filters"),
          h("form", { class: "filters", role: "search", onsubmit: (event) => { event.preventDefault(); this.#reload(); } },
            labelled("Operation", this.inputs.operation), labelled("User", this.inputs.user),
            labelled("Container", this.inputs.container), labelled("Database", this.inputs.scope),
            labelled("Zone", this.inputs.zone), labelled("Status", this.inputs.status),
            labelled("Fault", this.inputs.fault))),
        h("div", { class: "check" }, this.failures, h("label", { for: "only-failures" }, "Only what failed")),
        this.count, this.trouble, this.list.element),
      this.detail);
    let wait;
    for (const input of Object.values(this.inputs)) {
      input.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(() => this.#reload(), 300); });
    }
    this.failures.addEventListener("change", () => this.#reload());
    this.detail.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented) location.hash = this.#address(null);
    });
    this.content = [
      h("div", { class: "head" }, h("h1", {}, "Requests"),
        h("div", { class: "actions" }, this.pause,
          h("button", { type: "button", onclick: () => this.#clear() }, "Forget all"))),
      this.split,
    ];
    this.#reload();
    this.#show(parameters.entry ? Number(parameters.entry) : null, false);
  }

  title() { return this.#entry === null ? "Requests" : `Request ${this.#entry}`; }

  update(parameters) {
    const same = [...filterNames, "failures"].every((name) => (parameters[name] ?? "") === (this.#parameters()[name] ?? ""));
    if (!same) return false;
    this.#show(parameters.entry ? Number(parameters.entry) : null, true);
    return true;
  }

  close() {
    this.#turn += 1;
    clearTimeout(this.#timer);
    this.list.close();
  }

  #filter() { return Object.fromEntries(filterNames.map((name) => [name, this.inputs[name].value.trim()])); }

  #parameters() { return { ...this.#filter(), failures: this.failures.checked ? "1" : "" }; }

  #address(entry) { return link("requests", { ...this.#parameters(), entry }); }

  #toggle() {
    this.#paused = !this.#paused;
    this.pause.setAttribute("aria-pressed", String(this.#paused));
    this.pause.textContent = this.#paused ? "Go on" : "Pause";
    announce(this.#paused ? "Paused: new requests are not shown" : "New requests are shown");
    if (!this.#paused) this.#poll(this.#turn);
  }

  #clear() {
    dialog({
      title: "Forget all requests?", danger: true, action: "Forget all",
      about: "The journal is emptied for everybody. Data, faults and clock stay as they are.",
      send: async () => {
        await ask.remove("journal");
        announce("The journal is empty");
        await this.#reload();
      },
    });
  }

  async #reload() {
    clearTimeout(this.#timer);
    this.#turn += 1;
    this.#last = 0;
    this.list.set([], false);
    history.replaceState(null, "", this.#address(this.#entry));
    await this.#poll(this.#turn, true);
  }

  /** Asks for what is new, and again a while later. */
  async #poll(turn, isFirst = false) {
    clearTimeout(this.#timer);
    if (turn !== this.#turn) return;
    try {
      if (!document.hidden || isFirst) await this.#ask(turn, isFirst);
      if (this.#failed) this.trouble.replaceChildren();
      this.#failed = false;
    } catch (error) {
      if (turn !== this.#turn) return;
      if (!this.#failed) this.trouble.replaceChildren(failure(error));
      this.#failed = true;
      if (error.status === 400) return;
    }
    if (turn !== this.#turn || this.#paused) return;
    this.#timer = setTimeout(() => this.#poll(turn), waitMilliseconds);
  }

  async #ask(turn, isFirst) {
    const query = isFirst ? { last: entriesMax } : { after: this.#last, limit: pageEntries };
    const answer = await ask.get("journal", { ...this.#filter(), ...query });
    if (turn !== this.#turn) return;
    // Another server listens at the port now.
    if (answer.total < this.#last) { this.#reload(); return; }
    const entries = answer.entries;
    if (entries.length) this.#last = entries.at(-1).number;
    const shown = entries.filter((entry) => !this.failures.checked || hasFailed(entry)).reverse();
    if (isFirst) {
      this.#hasOlder = answer.matching > entries.length;
      this.list.set(shown, false);
      if (this.#entry !== null) this.#show(this.#entry, false);
    } else {
      this.list.prepend(shown, entriesMax);
    }
    const text = this.list.items.length
      ? `${plural(this.list.items.length, "request")}${this.#hasOlder ? "; older ones are not shown" : ""}`
      : answer.kept ? "No request fits." : "No request has come yet.";
    if (text !== this.#counts) this.count.textContent = this.#counts = text;
    if (entries.length === pageEntries && !isFirst) await this.#ask(turn, false);
  }

  #show(number, isMove) {
    this.#entry = number;
    this.split.classList.toggle("with-detail", number !== null);
    this.list.select(number);
    if (number === null) {
      this.detail.replaceChildren(h("p", { class: "empty" }, "Choose a request to see what became of it."));
      if (isMove) this.list.focus();
      return;
    }
    const entry = this.list.items.find((item) => item.number === number);
    const heading = h("h2", { tabindex: "-1", class: "record-name" }, entry ? entry.operation : `Request ${number}`);
    const place = h("div", { class: "stack" });
    this.detail.replaceChildren(h("div", { class: "stack" },
      h("div", { class: "detail-head" }, heading,
        h("a", { class: "back", href: this.#address(null) }, "Close", h("span", { class: "unseen" }, " the request"))), place));
    if (entry) place.append(...detail(entry).filter(Boolean));
    else {
      fill(place, async () => {
        const { entries } = await ask.get("journal", { after: number - 1, limit: 1 });
        if (entries[0]?.number !== number) return h("p", { class: "empty" }, "The journal no longer has this request.");
        heading.textContent = entries[0].operation;
        return detail(entries[0]);
      });
    }
    if (isMove) heading.focus();
  }
}

function hasFailed(entry) {
  return entry.status !== 200 && entry.status !== 206 || Object.keys(entry.codes).some((code) => code !== "OK") || entry.faults.length > 0;
}

function status(entry) {
  if (entry.status === 0) return badge("cut off", "bad");
  return badge(String(entry.status), entry.status < 400 ? "fine" : "bad");
}

function codes(entry) {
  return Object.entries(entry.codes).filter(([code]) => code !== "OK")
    .map(([code, count]) => badge(count > 1 ? `${code} × ${count}` : code, "warn"));
}

function row(entry) {
  return [
    h("span", { class: "row-main" }, h("span", { class: "row-name" }, entry.operation), status(entry)),
    h("span", { class: "row-more" }, entry.code ? badge(entry.code, "bad") : codes(entry),
      entry.faults.length ? badge("fault", "note") : null, time(entry.time, true), ` · ${entry.user ?? "nobody"}`,
      entry.zones.length ? ` · ${entry.zones[0]}${entry.zones.length > 1 ? ` and ${entry.zones.length - 1} more` : ""}` : ""),
  ];
}

function detail(entry) {
  const isService = entry.container !== undefined && entry.scope !== undefined && !entry.operation.startsWith("/");
  const where = { user: entry.scope === "public" ? undefined : entry.user, container: entry.container, environment: entry.environment, database: entry.scope };
  const zone = entry.zones.length === 1 && entry.scope !== "shared" ? entry.zones[0] : null;
  const canLook = isService && (entry.user || entry.scope === "public") && !entry.user?.startsWith("key ");
  return [
    h("div", { class: "actions" },
      isService && h("button", { type: "button", class: "primary", onclick: () => makeFault(entry) }, "Make this a fault"),
      isService && copyButton("Copy as curl", "command", () => curl(entry))),
    entry.code ? h("div", { class: "failure" }, h("p", {}, h("strong", {}, entry.code)), h("p", {}, entry.reason)) : null,
    entry.failures?.length ? h("section", { class: "stack", "aria-labelledby": "failed-title" },
      h("h3", { id: "failed-title" }, "What failed in it"),
      table("Items that failed", [
        ["Name", (item) => zone && canLook && item.name && entry.operation.startsWith("records/")
          ? h("a", { class: "mono", href: link("data", { ...where, zone, record: item.name }) }, item.name)
          : h("span", { class: "mono" }, item.name || "–")],
        ["Code", (item) => item.code], ["Reason", (item) => item.reason],
      ], entry.failures)) : null,
    facts([
      ["Number", String(entry.number)],
      ["Time", time(entry.time)],
      ["Method", entry.method],
      ["Status", entry.status === 0 ? "the connection was cut off" : String(entry.status)],
      ["User", entry.user ?? "nobody: no web token"],
      ["Device", entry.device],
      ["Container", entry.container && h("span", { class: "mono" }, entry.container)],
      ["Environment", entry.environment],
      ["Database", entry.scope && (canLook ? h("a", { href: link("data", where) }, entry.scope) : entry.scope)],
      [entry.zones.length === 1 ? "Zone" : "Zones", entry.zones.length ? entry.zones.map((name, index) => [index ? ", " : "",
        canLook && entry.scope !== "shared" ? h("a", { href: link("data", { ...where, zone: name }) }, name) : name]) : null],
      ["Items", entry.items ? String(entry.items) : null],
      ["Codes", Object.entries(entry.codes).map(([code, count]) => `${code} × ${count}`).join(", ")],
      ["Faults that fired", entry.faults.length ? entry.faults.join(", ") : null],
      ["Request", bytes(entry.requestBytes)],
      ["Answer", bytes(entry.replyBytes)],
      ["Took", `${(entry.microseconds / 1000).toLocaleString("en", { maximumFractionDigits: 3 })} ms`],
    ]),
  ];
}

// Faults

/** The text of a rule for requests like one. */
function ruleText(entry, action) {
  const quoted = (word) => /[\s"]/.test(word) ? `"${word.replaceAll('"', "")}"` : word;
  const zone = entry.zones.length === 1 ? `#${entry.zones[0]}` : "";
  const words = [quoted(`${entry.operation}@${entry.container}/${entry.scope}${zone}`)];
  if (entry.user && !entry.user.startsWith("key ")) words.push(quoted(`user=${entry.user}`));
  if (entry.device) words.push(quoted(`device=${entry.device}`));
  return `${words.join(" ")} times=1 -> ${action}`;
}

function makeFault(entry) {
  // Of a batch that failed as a whole, the item that was to blame.
  const item = entry.failures?.find(({ code }) => code !== "ATOMIC_ERROR") ?? entry.failures?.[0];
  const action = entry.code ?? (item ? `${item.code} on 1 items` : "THROTTLED retry=2s");
  addFault(ruleText(entry, action),
    "The next request like this one fails as the rule says. Change the rule as you like.");
}

// curl

const bodies = {
  "records/query": (zone) => ({ zoneID: zone, query: { recordType: "TYPE" } }),
  "records/lookup": (zone) => ({ zoneID: zone, records: [{ recordName: "NAME" }] }),
  "records/modify": (zone) => ({ zoneID: zone, operations: [{ operationType: "forceUpdate", record: { recordName: "NAME", recordType: "TYPE", fields: {} } }] }),
  "zones/lookup": (zone) => ({ zones: [{ zoneID: zone }] }),
  "zones/modify": (zone) => ({ operations: [{ operationType: "create", zone: { zoneID: zone } }] }),
  "changes/zone": (zone) => ({ zones: [{ zoneID: zone }] }),
};

/** A command that asks the same; the journal keeps neither tokens nor bodies. */
function curl(entry) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const query = "?ckAPIToken=$CK_API_TOKEN" + (entry.user ? "&ckWebAuthToken=$CK_WEB_TOKEN" : "");
  const path = [entry.container, entry.environment ?? "development", entry.scope].map(encodeURIComponent).join("/");
  const lines = [
    `# CK_API_TOKEN: from ${location.origin}/_mock/v1/tokens`,
    ...(entry.user ? ["# CK_WEB_TOKEN: from POST tokens, percent-encoded"] : []),
    `curl --cacert "$CK_CA_FILE" "${location.origin}/database/1/${path}/${entry.operation}${query}"`,
  ];
  if (entry.method === "POST") {
    const zone = { zoneName: entry.zones[0] ?? "_defaultZone" };
    lines[lines.length - 1] += " \\";
    lines.push(`  --json ${quoted(JSON.stringify(bodies[entry.operation]?.(zone) ?? {}))}`);
  }
  return lines.join("\n") + "\n";
}
