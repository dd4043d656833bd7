// Records found by name, wherever they are.
import { link } from "./api.js";
import { badge, empty, h, labelled, line, plural, table } from "./dom.js";
import { page } from "./places.js";

/** A field that leads to what is found. */
export function findForm(user = null, name = "") {
  const input = line({ type: "search", required: true, value: name });
  return h("form", { class: "find", role: "search", onsubmit: (event) => {
    event.preventDefault();
    location.hash = link("data", { find: input.value.trim(), user });
  } }, labelled("Find a record", input), h("button", {}, "Find"));
}

export function find({ find: name, user }, life) {
  const pattern = /[*?]/.test(name) ? name : `*${name}*`;
  return page(life, `Records named “${name}”`, user ? `Of ${user}` : "In all databases", [["Accounts", {}], ...(user ? [[user, { user }]] : [])], {
    get: (asking) => asking.get("search", { name: pattern, user, limit: 200 }),
    show: ({ matches, more }) => matches.length ? [
      h("p", { class: "quiet" }, `${plural(matches.length, "record")}${more ? ", and there are more: write more of the name" : ""}`),
      table("Records found", [
        ["Record", (match) => h("a", { class: "mono", href: link("data", {
          user: match.user, container: match.container, environment: match.environment, database: match.database,
          zone: match.zone, owner: match.database === "shared" ? match.owner : null,
          deleted: match.live ? null : "only", record: match.recordName,
        }) }, match.recordName)],
        ["Type", (match) => match.live ? match.recordType : badge("deleted", "bad")],
        ["Account", (match) => match.user ?? "everybody"],
        ["Zone", (match) => match.zone],
        ["Database", (match) => `${match.database}, ${match.environment}`],
        ["Container", (match) => h("span", { class: "mono" }, match.container)],
      ], matches)] : empty(`No record name matches ${pattern}.`),
  }, findForm(user, name));
}
