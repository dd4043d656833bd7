// Where things are: accounts, databases, zones, and the way to them.
import { link } from "./api.js";
import { announce, h } from "./dom.js";
import { follow } from "./feed.js";

export const databaseNames = { private: "Private database", shared: "Shared database", public: "Public database" };

/** Where a database is: what requests about it begin with. */
export function databaseOf({ user, container, environment, database }) {
  return { user, container, environment, database };
}

/** Where a zone is. */
export function zoneOf({ zone, owner, ...rest }) {
  return { ...databaseOf(rest), zone, owner };
}

/** A view that is loaded as a whole, and again when something in it may have changed. */
export function page(life, title, kicker, parts, load, tools = null) {
  const place = h("div", { class: "stack" }, h("p", { class: "quiet" }, "Loading…"));
  const again = follow(life, place, ["change", "reset", "administration"], load.get, load.show);
  return {
    title: () => title,
    content: [
      crumbs(parts),
      h("div", { class: "head" }, h("div", {}, kicker && h("p", { class: "kicker" }, kicker), h("h1", {}, title)), tools,
        h("button", { type: "button", onclick: async () => { await again(); announce("Loaded again"); } }, "Load again")),
      place,
    ],
  };
}

/** The way to a place. */
export function crumbs(parts) {
  if (!parts.length) return null;
  return h("nav", { "aria-label": "Location", class: "crumbs" }, h("ol", {}, parts.map(([text, parameters]) =>
    h("li", {}, h("a", { href: link("data", parameters) }, text)))));
}

/** The way to a database, as {@link crumbs} shows it. */
export function parts({ user, container, environment, database }, withDatabase = true) {
  return [
    ["Accounts", {}], ...(user ? [[user, { user }]] : []),
    ...(withDatabase ? [[`${container} · ${environment ?? "development"} · ${database ?? "private"}`,
      { user, container, environment, database }]] : []),
  ];
}

/** All pages of a list, but no more than `pagesMax`. */
export async function everything(life, path, where, key, pagesMax) {
  const rows = [];
  let after = null;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const answer = await life.get(path, { ...where, after });
    rows.push(...answer[key]);
    if (!answer.more) return { rows, more: false };
    after = answer.after;
  }
  return { rows, more: true };
}
