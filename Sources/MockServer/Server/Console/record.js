// One record: its fields by type, what the service keeps beside them, and what is left of a deleted one.
import { ask, link } from "./api.js";
import { participantTable } from "./data.js";
import { badge, bytes, copyButton, facts, fill, h, table, time } from "./dom.js";

const previewBytesMax = 8 << 20;

/** A record in its zone; `close` lets go of what its previews hold. */
export function showRecord(where, name, back) {
  const urls = [];
  const place = h("div", { class: "stack" }, h("p", { class: "quiet" }, "Loading…"));
  const heading = h("h2", { class: "record-name", tabindex: "-1" }, name);
  const shown = { where, urls, isOpen: true };
  fill(place, async () => {
    const answer = await ask.get("record", { ...where, name });
    return answer.record ? live(answer, shown) : tombstone(answer, shown);
  });
  return {
    heading,
    element: h("div", { class: "stack" },
      h("div", { class: "detail-head" }, heading, h("a", { class: "back", href: back }, "Close", h("span", { class: "unseen" }, " the record"))),
      place),
    close() {
      shown.isOpen = false;
      for (const url of urls) URL.revokeObjectURL(url);
    },
  };
}

function fullName(parts = {}) { return [parts.givenName, parts.familyName].filter(Boolean).join(" "); }

function by(stamp, account) {
  if (!stamp) return null;
  const who = account ? h("a", { href: link("data", { user: account }) }, account) : h("span", { class: "mono" }, stamp.userRecordName);
  return [time(stamp.timestamp), " by ", who, stamp.deviceID ? ` on device ${stamp.deviceID}` : ""];
}

function recordLink(shown, name, zoneID = null) {
  const where = { ...shown.where };
  if (zoneID && zoneID.zoneName !== where.zone) where.zone = zoneID.zoneName;
  return h("a", { href: link("data", { ...where, record: name }), class: "mono" }, name);
}

function live({ record, place, bytes: size, createdBy, modifiedBy, referrers }, shown) {
  const fields = Object.entries(record.fields);
  return [
    h("section", { class: "stack", "aria-labelledby": "fields-title" },
      h("h3", { id: "fields-title" }, "Fields"),
      fields.length ? table("Fields", [
        ["Name", ([name]) => name],
        ["Type", ([, field]) => [h("span", { class: "type" }, field.type ?? ""), field.isEncrypted ? [" ", badge("encrypted", "note")] : null]],
        ["Value", ([name, field]) => value(field, name, shown)],
      ], fields) : h("p", { class: "empty" }, "The record has no fields.")),
    record.participants ? h("section", { class: "stack", "aria-labelledby": "people-title" },
      h("h3", { id: "people-title" }, "Participants"),
      participantTable(record.participants.map((person) => ({
        userRecordName: fullName(person.userIdentity?.nameComponents) || person.userIdentity?.userRecordName, role: person.type ?? person.role,
        permission: person.permission, acceptance: person.acceptanceStatus,
      })), "Participants")) : null,
    h("section", { class: "stack", "aria-labelledby": "system-title" },
      h("h3", { id: "system-title" }, "System fields"),
      facts([
        ["Type", record.recordType],
        ["Change tag", h("span", { class: "mono" }, record.recordChangeTag)],
        ["Created", by(record.created, createdBy)],
        ["Changed", by(record.modified, modifiedBy)],
        ["Parent", record.parent && recordLink(shown, record.parent.recordName)],
        ["Share", record.share && recordLink(shown, record.share.recordName)],
        ["Address", record.shortGUID && h("span", { class: "mono" }, record.shortGUID)],
        ["Place in the feed", String(place)],
        ["Stored size", bytes(size)],
      ])),
    referrers.length ? h("section", { class: "stack", "aria-labelledby": "referrers-title" },
      h("h3", { id: "referrers-title" }, "Pointed to by"),
      h("ul", { class: "plain" }, referrers.map((source) => h("li", {}, recordLink(shown, source.recordName), " ", badge(source.kind))))) : null,
    h("details", {}, h("summary", {}, "As JSON"),
      copyButton("Copy", "JSON", () => JSON.stringify(record, null, 2)),
      h("pre", { tabindex: "0" }, JSON.stringify(record, null, 2))),
  ];
}

function tombstone({ tombstone, place, createdBy, deletedBy }) {
  return [
    h("p", {}, badge("deleted", "bad"), " This record is gone. What is left of it tells change feeds so, until the service forgets it."),
    facts([
      ["Type", tombstone.recordType],
      ["Change tag", h("span", { class: "mono" }, tombstone.recordChangeTag)],
      ["Created", by(tombstone.created, createdBy)],
      ["Deleted", by(tombstone.deleted, deletedBy)],
      ["Place in the feed", String(place)],
    ]),
  ];
}

// Values

function value(field, name, shown) {
  if (Array.isArray(field.value)) {
    const type = (field.type ?? "").replace(/_LIST$|^LIST$/, "");
    if (!field.value.length) return h("span", { class: "quiet" }, "empty list");
    return h("ol", { class: "values" }, field.value.slice(0, 200).map((element) => h("li", {}, one(element, type, name, shown))),
      field.value.length > 200 ? h("li", { class: "quiet" }, `and ${field.value.length - 200} more; see the JSON below`) : null);
  }
  return one(field.value, field.type ?? "", name, shown);
}

function one(value, type, name, shown) {
  if (value !== null && typeof value === "object") {
    if ("fileChecksum" in value) return asset(value, name, shown);
    if ("recordName" in value) {
      return [recordLink(shown, value.recordName, value.zoneID), value.action && value.action !== "NONE" ? [" ", badge(value.action)] : null];
    }
    if ("latitude" in value) return place(value);
    return h("pre", { tabindex: "0" }, JSON.stringify(value, null, 2));
  }
  if (type.includes("TIMESTAMP")) return [time(Number(value)), h("span", { class: "quiet" }, ` ${value}`)];
  if (type.includes("BYTES")) return base64(String(value));
  if (typeof value === "string") {
    if (value === "") return h("span", { class: "quiet" }, "empty text");
    if (value.length > 4000) return [h("span", { class: "text" }, value.slice(0, 4000)), h("span", { class: "quiet" }, ` … ${value.length.toLocaleString("en")} characters in all`)];
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

// Assets

/** What kind of image some bytes are, by how they begin; null: none that is shown. */
function imageType(view) {
  const begins = (...bytes) => bytes.every((byte, index) => view[index] === byte);
  if (begins(0x89, 0x50, 0x4e, 0x47)) return "image/png";
  if (begins(0xff, 0xd8, 0xff)) return "image/jpeg";
  if (begins(0x47, 0x49, 0x46, 0x38)) return "image/gif";
  if (begins(0x52, 0x49, 0x46, 0x46) && view[8] === 0x57 && view[9] === 0x45) return "image/webp";
  return null;
}

function asset(value, name, shown) {
  const preview = h("div", { class: "preview" });
  const load = async () => ask.bytes("asset", { downloadURL: value.downloadURL });
  if (value.downloadURL && value.size <= previewBytesMax) {
    load().then((file) => {
      const type = imageType(new Uint8Array(file, 0, Math.min(16, file.byteLength)));
      if (!type || !shown.isOpen) return;
      const url = URL.createObjectURL(new Blob([file], { type }));
      shown.urls.push(url);
      preview.append(h("img", { src: url, alt: `Preview of ${name}` }));
    }, () => preview.append(h("p", { class: "quiet" }, "The file could not be read.")));
  }
  const button = h("button", { type: "button", onclick: async () => {
    button.disabled = true;
    try {
      const url = URL.createObjectURL(new Blob([await load()], { type: "application/octet-stream" }));
      shown.urls.push(url);
      h("a", { href: url, download: name }).click();
    } catch (error) {
      preview.replaceChildren(h("p", { role: "alert" }, error.message));
    } finally {
      button.disabled = false;
    }
  } }, "Download", h("span", { class: "unseen" }, ` ${name}`));
  return h("div", { class: "asset" }, preview,
    h("p", {}, `File of ${bytes(value.size)} `, value.downloadURL ? button : null),
    h("p", { class: "quiet mono small" }, `checksum ${value.fileChecksum}`));
}
