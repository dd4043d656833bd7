// All that this world holds as one file, and back again.
import { AskError, base } from "./api.js";
import { dialog } from "./dialog.js";
import { announce, bytes, failure, h, labelled, plural, section } from "./dom.js";
import { download } from "./download.js";
import { follow } from "./feed.js";

const fileName = `cksweep${base.replace("/~", "-")}.jsonl`;

/** The part of a view with both; `told` is called with what to show once something was imported. */
export function archivePart(life, told) {
  const holdings = h("div", {});
  const file = h("input", { type: "file", required: true, accept: ".jsonl,.ndjson,.json,.txt" });
  const problem = h("div", {});
  follow(life, holdings, ["change", "reset", "administration"], ask, (answer) =>
    h("p", {}, "An export now contains ", h("strong", {}, words(answer)), "."));
  return section("Archive", {
    panel: true, about: "This namespace in one text file: to restore, to compare, or to start another server with.",
  },
  holdings,
  h("p", { class: "quiet" }, "It includes settings and clock, but not tokens, keys, faults, gates, journal and snapshots."),
  h("p", {}, download("export", fileName, "Export", "button")),
  h("form", { class: "inline", onsubmit: async (event) => {
    event.preventDefault();
    try {
      confirmImport(life, file.files[0], await ask(life), told);
      problem.replaceChildren();
    } catch (error) {
      problem.replaceChildren(failure(error));
    }
  } }, labelled("Archive to import", file), h("button", {}, "Import…")), problem);
}

/** What there is to export, or to lose. */
async function ask(asking) {
  const [{ users }, { databases }, { snapshots }] = await Promise.all([
    asking.get("users"), asking.get("summary"), asking.get("snapshots"),
  ]);
  // What is in a shared database is in its owner's too.
  const own = databases.filter(({ database }) => database !== "shared");
  const sum = (key) => own.reduce((total, database) => total + database[key], 0);
  return {
    users: users.length, databases: own.length, zones: sum("zones"), records: sum("records"),
    assets: sum("assets"), assetBytes: sum("assetBytes"), snapshots,
  };
}

function words({ users, databases, zones, records, assets, assetBytes }) {
  return [
    plural(users, "account"), plural(databases, "database"), plural(zones, "zone"), plural(records, "record"),
  ].join(", ") + ` and ${plural(assets, "file")}${assets ? ` (${bytes(assetBytes)})` : ""}`;
}

function confirmImport(life, file, there, told) {
  const snapshots = there.snapshots.length ? h("p", {}, "These snapshots are discarded: ", h("strong", {}, there.snapshots.join(", ")), ".") : null;
  dialog({
    title: "Replace everything with this archive?", action: "Replace everything", danger: true,
    about: `${file.name}, ${bytes(file.size)}. If a line of it is invalid, nothing is changed.`,
    body: [
      h("p", {}, "This deletes ", h("strong", {}, words(there)), ", the settings and the clock's time."), snapshots,
      h("p", { class: "quiet" }, "Tokens, keys, faults and the journal stay. Other requests get TRY_AGAIN_LATER meanwhile."),
    ],
    send: async () => {
      await checkReadable(file);
      announce(`Importing ${file.name}`);
      await life.post("import", file);
      announce(`${file.name} is imported`);
      const here = words(await ask(life));
      told(h("div", { class: "told" },
        h("p", {}, h("strong", {}, file.name), ` is imported. The server now has ${here}.`)));
    },
  });
}

/** A browser lets nobody read a file that has changed since it was chosen, and says so only here. */
async function checkReadable(file) {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new AskError("The file cannot be read", "It was changed or deleted since it was chosen. Choose it again.");
  }
}
