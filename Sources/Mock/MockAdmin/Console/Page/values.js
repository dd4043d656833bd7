// The values of a record's fields, each by its type.
import { link } from "./api.js";
import { asset } from "./asset.js";
import { badge, bytes, h, number, time } from "./dom.js";

/** The way to another record, of the same database. */
export function recordLink(where, name, zoneID = null) {
  const zone = zoneID?.zoneName ?? where.zone;
  return h("a", { href: link("data", { ...where, zone, record: name }), class: "mono" }, name);
}

/** What a field holds. */
export function value(field, name, shown) {
  if (Array.isArray(field.value)) {
    const type = (field.type ?? "").replace(/_LIST$|^LIST$/, "");
    if (!field.value.length) return h("span", { class: "quiet" }, "empty list");
    return h("ol", { class: "values" }, field.value.slice(0, 200).map((element) => h("li", {}, one(element, type, name, shown))),
      field.value.length > 200 ? h("li", { class: "quiet" }, `and ${number(field.value.length - 200)} more; see the JSON below`) : null);
  }
  return one(field.value, field.type ?? "", name, shown);
}

function one(value, type, name, shown) {
  if (value !== null && typeof value === "object") {
    if ("fileChecksum" in value) return asset(value, name, shown);
    if ("recordName" in value) {
      return [recordLink(shown.where, value.recordName, value.zoneID), value.action && value.action !== "NONE" ? [" ", badge(value.action)] : null];
    }
    if ("latitude" in value) return place(value);
    return h("pre", { tabindex: "0" }, JSON.stringify(value, null, 2));
  }
  if (type.includes("TIMESTAMP")) return [time(Number(value)), h("span", { class: "quiet" }, ` ${value}`)];
  if (type.includes("BYTES")) return base64(String(value));
  if (typeof value === "string") {
    if (value === "") return h("span", { class: "quiet" }, "empty text");
    if (value.length > 4000) return [h("span", { class: "text" }, value.slice(0, 4000)), h("span", { class: "quiet" }, ` … ${number(value.length)} characters in all`)];
    return h("span", { class: "text" }, value);
  }
  return h("span", { class: "mono" }, String(value));
}

function base64(text) {
  const count = Math.floor(text.replace(/=+$/, "").length * 3 / 4);
  return [h("span", { class: "mono text" }, text.length > 400 ? text.slice(0, 400) + "…" : text), h("span", { class: "quiet" }, ` ${bytes(count)}`)];
}

function place(value) {
  const rest = Object.entries(value).filter(([key]) => key !== "latitude" && key !== "longitude");
  return [h("span", { class: "mono" }, `${value.latitude}, ${value.longitude}`),
    rest.map(([key, number]) => h("span", { class: "quiet" }, ` · ${key} ${number}`))];
}
