// One record: its fields by type, what the service keeps beside them, and what is left of a deleted one.
import { link } from "./api.js";
import { copyButton } from "./dialog.js";
import { badge, button, bytes, facts, fill, h, table, time } from "./dom.js";
import { deleteRecord, editRecord } from "./edit.js";
import { participantTable } from "./people.js";
import { recordLink, value } from "./values.js";

/** A record in its zone. */
export function showRecord(where, name, back, life) {
  const place = h("div", { class: "stack" }, h("p", { class: "quiet" }, "Loading…"));
  const heading = h("h2", { class: "record-name", tabindex: "-1" }, name);
  const renew = () => {
    if (!document.querySelector("dialog")) load();
  };
  const load = () => fill(place, async () => {
    const answer = await life.get("record", { ...where, name, numbersAsStrings: true });
    return answer.record ? live(answer, { where, life, load }) : tombstone(answer);
  });
  load();
  return {
    heading,
    renew,
    element: h("div", { class: "stack" },
      h("div", { class: "detail-head" }, heading, h("a", { class: "back", href: back }, "Close", h("span", { class: "unseen" }, " the record"))),
      place),
  };
}

function fullName(parts = {}) { return [parts.givenName, parts.familyName].filter(Boolean).join(" "); }

function by(stamp, account) {
  if (!stamp) return null;
  const who = account ? h("a", { href: link("data", { user: account }) }, account) : h("span", { class: "mono" }, stamp.userRecordName);
  return [time(stamp.timestamp), " by ", who, stamp.deviceID ? ` on device ${stamp.deviceID}` : ""];
}

function live({ record, place, bytes: size, createdBy, modifiedBy, referrers }, shown) {
  const fields = Object.entries(record.fields);
  return [
    shown.where.owner ? null : h("div", { class: "actions" },
      button("Change…", () => editRecord(record, shown.where, shown.life, shown.load)),
      button("Delete…", () => deleteRecord(record, shown.where, shown.life, shown.load), "danger")),
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
        ["Parent", record.parent && recordLink(shown.where, record.parent.recordName)],
        ["Share", record.share && recordLink(shown.where, record.share.recordName)],
        ["Address", record.shortGUID && h("span", { class: "mono" }, record.shortGUID)],
        ["Position in the feed", String(place)],
        ["Stored size", bytes(size)],
      ])),
    referrers.length ? h("section", { class: "stack", "aria-labelledby": "referrers-title" },
      h("h3", { id: "referrers-title" }, "Referenced by"),
      h("ul", { class: "plain columns" }, referrers.map((source) => h("li", {}, recordLink(shown.where, source.recordName), " ", badge(source.kind))))) : null,
    h("details", {}, h("summary", {}, "As JSON"),
      copyButton("Copy", "JSON", () => JSON.stringify(record, null, 2)),
      h("pre", { tabindex: "0" }, JSON.stringify(record, null, 2))),
  ];
}

function tombstone({ tombstone, place, createdBy, deletedBy }) {
  return [
    h("p", {}, badge("deleted", "bad"), " This record was deleted. Change feeds list its deletion until the service compacts it."),
    facts([
      ["Type", tombstone.recordType],
      ["Change tag", h("span", { class: "mono" }, tombstone.recordChangeTag)],
      ["Created", by(tombstone.created, createdBy)],
      ["Deleted", by(tombstone.deleted, deletedBy)],
      ["Position in the feed", String(place)],
    ]),
  ];
}
