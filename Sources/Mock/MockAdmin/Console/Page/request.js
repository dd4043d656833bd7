// One request of the journal: what it was, what became of it, and what to do with it.
import { link } from "./api.js";
import { copyButton } from "./dialog.js";
import { badge, bytes, facts, h, table, time } from "./dom.js";
import { why } from "./explain.js";
import { addFault } from "./faults.js";
import { curl, ruleText } from "./repeat.js";

export function hasFailed(entry) {
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

/** The row of a request in the list. */
export function requestRow(entry) {
  return [
    h("span", { class: "row-main" }, h("span", { class: "row-name" }, entry.operation), status(entry)),
    h("span", { class: "row-more" }, entry.code ? badge(entry.code, "bad") : codes(entry),
      entry.faults.length ? badge("fault", "note") : null, time(entry.time, true), ` · ${entry.user ?? "no user"}`,
      entry.zones.length ? ` · ${entry.zones[0]}${entry.zones.length > 1 ? ` and ${entry.zones.length - 1} more` : ""}` : ""),
  ];
}

/** What is told of a request. */
export function requestParts(entry, life) {
  const isService = entry.container !== undefined && entry.scope !== undefined && !entry.operation.startsWith("/");
  const where = { user: entry.scope === "public" ? undefined : entry.user, container: entry.container, environment: entry.environment, database: entry.scope };
  const zone = entry.zones.length === 1 && entry.scope !== "shared" ? entry.zones[0] : null;
  const canLook = isService && (entry.user || entry.scope === "public") && !entry.user?.startsWith("key ");
  const { ask, part } = why(entry, life);
  return [
    h("div", { class: "actions" },
      isService && h("button", { type: "button", class: "primary", onclick: () => makeFault(entry, life) }, "Make this a fault"),
      isService && copyButton("Copy as curl", "command", () => curl(entry, life)),
      ask),
    entry.code ? h("div", { class: "failure" }, h("p", {}, h("strong", {}, entry.code)), h("p", {}, entry.reason)) : null,
    part,
    entry.failures?.length ? h("section", { class: "stack", "aria-labelledby": "failed-title" },
      h("h3", { id: "failed-title" }, "Failed items"),
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
      ["User", entry.user ?? "no user: no web token"],
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

function makeFault(entry, life) {
  addFault(life, ruleText(entry), "The next request like this one fails by this rule. You can change the rule.");
}
