// Records changed by hand, by the rules of the service: with their change tag, told in feeds and pushes.
import { dialog } from "./dialog.js";
import { announce, choice, h, labelled } from "./dom.js";

/** Numbers that JavaScript would round stay as they were written. */
function read(text) {
  return JSON.parse(text, (_, value, context) => {
    if (typeof value !== "number" || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
    if (!context) throw new Error("Write a number as large as this in quotation marks.");
    return context.source;
  });
}

/** What is to be sent of fields: those that have changed, and null for those that are no more. */
export function changes(before, after) {
  const sent = {};
  for (const [name, field] of Object.entries(after)) {
    if (JSON.stringify(field) !== JSON.stringify(before[name])) sent[name] = field;
  }
  for (const name of Object.keys(before)) if (!(name in after)) sent[name] = { value: null };
  return sent;
}

function area(value) { return h("textarea", { rows: 16, spellcheck: "false", class: "mono", required: true }, value); }

/** Who changes a record of a public database. */
async function author(where, life) {
  if (where.user) return null;
  const { users } = await life.get("users");
  return choice(users.map(({ name }) => [name, name]), users[0]?.name, { required: true });
}

async function send(life, where, by, operationType, record) {
  const { user, container, environment, database, zone, owner } = where;
  return life.post("record", { operationType, record }, { user, container, environment, database, zone, owner, by: by?.value });
}

export async function editRecord(record, where, life, done) {
  const by = await author(where, life);
  const text = area(JSON.stringify(record.fields, null, 2));
  const force = h("input", { type: "checkbox", id: "edit-force" });
  dialog({
    title: `Change ${record.recordName}`, action: "Save",
    about: `It is saved if its change tag is still “${record.recordChangeTag}”, so that no change is lost.`,
    body: [
      labelled("Fields", text, "Omitted fields are deleted. Write large whole numbers in quotation marks."),
      by && labelled("Changed by", by),
      h("div", { class: "check" }, force, h("label", { for: "edit-force" }, "Save regardless of the tag")),
    ],
    send: async () => {
      const changed = { recordName: record.recordName, recordType: record.recordType, fields: changes(record.fields, read(text.value)) };
      if (!force.checked) changed.recordChangeTag = record.recordChangeTag;
      await send(life, where, by, force.checked ? "forceUpdate" : "update", changed);
      announce(`${record.recordName} is saved`);
      done();
    },
  });
  text.focus();
}

export async function deleteRecord(record, where, life, done) {
  const by = await author(where, life);
  dialog({
    title: `Delete ${record.recordName}?`, action: "Delete", danger: true,
    about: "Like a deletion by an app: feeds list it, and records that refer to it by DELETE_SELF are deleted too.",
    body: by && labelled("Deleted by", by),
    send: async () => {
      await send(life, where, by, "delete", { recordName: record.recordName, recordChangeTag: record.recordChangeTag });
      announce(`${record.recordName} is deleted`);
      done();
    },
  });
}

export async function newRecord(where, life, done) {
  const by = await author(where, life);
  const name = h("input", { type: "text", autocomplete: "off", spellcheck: "false" });
  const type = h("input", { type: "text", autocomplete: "off", spellcheck: "false", required: true });
  const text = area('{\n  "title": { "value": "" }\n}');
  dialog({
    title: "Create a record", action: "Save",
    body: [labelled("Name (may be empty)", name), labelled("Type", type), labelled("Fields", text), by && labelled("Created by", by)],
    send: async () => {
      const record = { recordType: type.value.trim(), fields: read(text.value) };
      if (name.value.trim()) record.recordName = name.value.trim();
      const made = await send(life, where, by, "create", record);
      announce(`${made.record.recordName} is saved`);
      done(made.record.recordName);
    },
  });
}
