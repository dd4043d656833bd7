// What the store was, kept by name, worlds of their own beside this one, and all of one as a file.
import { base } from "./api.js";
import { archivePart } from "./archive.js";
import { dialog } from "./dialog.js";
import { announce, badge, button, choice, empty, facts, failure, h, labelled, line, number, section, table } from "./dom.js";
import { follow } from "./feed.js";

/** The page of a namespace of this server; of the server's own world without a name. */
function pageOf(name) { return name ? `/~${name}/` : "/"; }

const here = base ? base.slice(2) : null;

export function open(_, life) {
  const snapshots = h("div", { class: "stack" });
  const namespaces = h("div", { class: "stack" });
  const made = h("div", {});
  const again = {
    snapshots: follow(life, snapshots, ["administration", "reset"], (asking) => asking.get("snapshots"),
      (answer) => showSnapshots(life, answer.snapshots, again, made)),
    namespaces: follow(life, namespaces, ["administration"],
      (asking) => asking.get("namespaces"), (answer) => showNamespaces(life, answer.namespaces, again)),
  };
  const name = line({ required: true, pattern: "[A-Za-z0-9._@\\-]{1,64}" });
  const problem = h("div", {});
  return {
    title: () => "Worlds",
    content: [
      h("div", { class: "head" }, h("h1", {}, "Snapshots, namespaces and archives")),
      made,
      h("div", { class: "panels" },
        section("Snapshots", { panel: true, about: "What was stored at a moment, kept in memory until the server stops." }, snapshots,
          h("form", { class: "inline", onsubmit: async (event) => {
            event.preventDefault();
            try {
              await life.post("act", { act: "snapshot", name: name.value.trim() });
              announce(`Snapshot ${name.value.trim()} taken`);
              name.value = "";
              problem.replaceChildren();
              again.snapshots();
            } catch (error) {
              problem.replaceChildren(failure(error));
            }
          } }, labelled("Name of a new one", name), h("button", {}, "Take it")), problem),
        section("Namespaces", { panel: true, about: "Worlds of their own in this server: users, data, faults, clock and tokens." }, namespaces,
          h("div", { class: "actions" }, button("Make a namespace…", () => newNamespace(life, again, made), "primary"))),
        archivePart(life, (content) => made.replaceChildren(content))),
    ],
  };
}

// Snapshots

function showSnapshots(life, names, again, made) {
  if (!names.length) return empty("There is no snapshot.");
  return h("ul", { class: "plain rows" }, names.map((name) => h("li", {},
    h("span", { class: "mono" }, name),
    h("div", { class: "actions" },
      button("Restore…", () => restore(life, name), null, name),
      button("Fork…", () => newNamespace(life, again, made, name), null, name),
      button("Forget…", () => forget(life, name, again), null, name)))));
}

function restore(life, name) {
  const also = [
    ["faults", "all faults"], ["journal", "the journal of requests"], ["clock", "the clock, back to the real time"],
    ["findings", "what the checker has found"],
  ].map(([key, text]) => [key, text, h("input", { type: "checkbox", id: `also-${key}` })]);
  dialog({
    title: `Go back to ${name}?`, action: "Restore", danger: true,
    about: "All that was stored since then is undone. Tokens that have seen it are expired.",
    body: h("fieldset", {}, h("legend", {}, "And empty besides"), also.map(([key, text, box]) =>
      h("div", { class: "check" }, box, h("label", { for: `also-${key}` }, text)))),
    send: async () => {
      await life.post("reset", { to: name, also: also.filter(([, , box]) => box.checked).map(([key]) => key) });
      announce(`The store is as it was at ${name}`);
    },
  });
}

function forget(life, name, again) {
  dialog({
    title: `Forget ${name}?`, action: "Forget", danger: true, about: "The snapshot is given up; what is stored stays as it is.",
    send: async () => {
      await life.remove("snapshots", { name });
      announce(`Snapshot ${name} forgotten`);
      again.snapshots();
    },
  });
}

// Namespaces

function showNamespaces(life, namespaces, again) {
  const own = here ? h("p", {}, "You are in ", badge(here, "note"), " — ", h("a", { href: pageOf(null) }, "go to the server's own world")) : null;
  if (!namespaces.length) return [own, empty("There is none but the server's own.")];
  return [own, table("Namespaces", [
    ["Namespace", (one) => one.name === here ? [one.name, " ", badge("here", "note")] : h("a", { href: pageOf(one.name) }, one.name)],
    ["Address", (one) => h("span", { class: "mono" }, one.url)],
    ["Users", (one) => number(one.users.length), "number"],
    ["Delete", (one) => button("Delete…", () => removeNamespace(life, one.name, again), null, one.name)],
  ], namespaces)];
}

function newNamespace(life, again, made, snapshot = null) {
  const name = line({ required: true, pattern: "[a-z0-9]([a-z0-9\\-]{0,61}[a-z0-9])?", maxlength: 63 });
  const begin = choice([["", "The server's beginning"], ["fork", "What this world is now"]]);
  dialog({
    title: snapshot ? `Make a namespace of ${snapshot}` : "Make a namespace", action: "Make it",
    body: [
      labelled("Name", name, "A part of a host name: a to z, 0 to 9 and hyphens."),
      snapshot ? null : labelled("It begins as", begin),
    ],
    send: async () => {
      const answer = await life.post("namespaces", {
        name: name.value.trim(),
        ...(snapshot ? { snapshot } : begin.value ? { fork: here ?? "localhost" } : {}),
      });
      announce(`Namespace ${answer.name} made`);
      made.replaceChildren(h("div", { class: "told" },
        h("p", {}, h("strong", {}, `Namespace ${answer.name}`), " is at ", h("a", { href: pageOf(answer.name) }, answer.url), "."),
        h("details", {}, h("summary", {}, "Its tokens"), facts([
          ["API token", h("span", { class: "mono" }, answer.apiToken)],
          ...Object.entries(answer.webTokens).map(([user, token]) => [`Web token of ${user}`, h("span", { class: "mono" }, token)]),
        ]))));
      again.namespaces();
    },
  });
}

function removeNamespace(life, name, again) {
  dialog({
    title: `Delete the namespace ${name}?`, action: "Delete", danger: true, about: "All in it goes, and requests that wait in it fail.",
    send: async () => {
      await life.remove("namespaces", { name });
      announce(`Namespace ${name} deleted`);
      if (name === here) location.href = pageOf(null);
      else again.namespaces();
    },
  });
}
