// Snapshots, and other namespaces of this server.
import { base } from "./api.js";
import { dialog } from "./dialog.js";
import { announce, badge, button, choice, empty, facts, failure, h, labelled, line, number, section, table } from "./dom.js";
import { follow } from "./feed.js";

/** The page of a namespace of this server; of the server's own world without a name. */
function pageOf(name) { return name ? `/~${name}/` : "/"; }

const here = base ? base.slice(2) : null;

export function open(_, life) {
  const snapshots = h("div", { class: "stack" });
  const namespaces = h("div", { class: "stack" });
  const created = h("div", {});
  const again = {
    snapshots: follow(life, snapshots, ["administration", "reset"], (asking) => asking.get("snapshots"),
      (answer) => showSnapshots(life, answer.snapshots, again, created)),
    namespaces: follow(life, namespaces, ["administration"],
      (asking) => asking.get("namespaces"), (answer) => showNamespaces(life, answer.namespaces, again)),
  };
  const name = line({ required: true, pattern: "[A-Za-z0-9._@\\-]{1,64}" });
  const problem = h("div", {});
  return {
    title: () => "Snapshots",
    content: [
      h("div", { class: "head" }, h("h1", {}, "Snapshots and namespaces")),
      created,
      h("div", { class: "panels" },
        section("Snapshots", { panel: true, about: "The stored data of a moment, in memory until the server stops." }, snapshots,
          h("form", { class: "inline", onsubmit: async (event) => {
            event.preventDefault();
            try {
              await life.post("simulate", { event: "snapshot", name: name.value.trim() });
              announce(`Snapshot ${name.value.trim()} taken`);
              name.value = "";
              problem.replaceChildren();
              again.snapshots();
            } catch (error) {
              problem.replaceChildren(failure(error));
            }
          } }, labelled("Name", name), h("button", {}, "Take")), problem),
        section("Namespaces", { panel: true, about: "Independent servers in this server, each with its own users, data, faults, clock and tokens." }, namespaces,
          h("div", { class: "actions" }, button("Create a namespace…", () => newNamespace(life, again, created), "primary")))),
    ],
  };
}

// Snapshots

function showSnapshots(life, names, again, created) {
  if (!names.length) return empty("There is no snapshot.");
  return h("ul", { class: "plain rows" }, names.map((name) => h("li", {},
    h("span", { class: "mono" }, name),
    h("div", { class: "actions" },
      button("Restore…", () => restore(life, name), null, name),
      button("Fork…", () => newNamespace(life, again, created, name), null, name),
      button("Discard…", () => forget(life, name, again), null, name)))));
}

function restore(life, name) {
  const also = [
    ["faults", "all faults"], ["journal", "the journal of requests"], ["clock", "the clock, back to the real time"],
    ["findings", "what the linter has found"],
  ].map(([key, text]) => [key, text, h("input", { type: "checkbox", id: `also-${key}` })]);
  dialog({
    title: `Restore ${name}?`, action: "Restore", danger: true,
    about: "Everything stored since then is rolled back. Sync tokens issued since then expire.",
    body: h("fieldset", {}, h("legend", {}, "Also reset"), also.map(([key, text, box]) =>
      h("div", { class: "check" }, box, h("label", { for: `also-${key}` }, text)))),
    send: async () => {
      await life.post("reset", { to: name, also: also.filter(([, , box]) => box.checked).map(([key]) => key) });
      announce(`Restored to ${name}`);
    },
  });
}

function forget(life, name, again) {
  dialog({
    title: `Discard ${name}?`, action: "Discard", danger: true, about: "The snapshot is discarded; stored data is unchanged.",
    send: async () => {
      await life.remove("snapshots", { name });
      announce(`Snapshot ${name} discarded`);
      again.snapshots();
    },
  });
}

// Namespaces

function showNamespaces(life, namespaces, again) {
  const own = here ? h("p", {}, "You are in ", badge(here, "note"), " — ", h("a", { href: pageOf(null) }, "go to the default namespace")) : null;
  if (!namespaces.length) return [own, empty("There is only the default namespace.")];
  return [own, table("Namespaces", [
    ["Namespace", (one) => one.name === here ? [one.name, " ", badge("here", "note")] : h("a", { href: pageOf(one.name) }, one.name)],
    ["Address", (one) => h("span", { class: "mono" }, one.url)],
    ["Users", (one) => number(one.users.length), "number"],
    ["Delete", (one) => button("Delete…", () => removeNamespace(life, one.name, again), null, one.name)],
  ], namespaces)];
}

function newNamespace(life, again, created, snapshot = null) {
  const name = line({ required: true, pattern: "[a-z0-9]([a-z0-9\\-]{0,61}[a-z0-9])?", maxlength: 63 });
  const begin = choice([["", "Initial state of the server"], ["fork", "Current state of this namespace"]]);
  dialog({
    title: snapshot ? `Create a namespace of ${snapshot}` : "Create a namespace", action: "Create",
    body: [
      labelled("Name", name, "Part of a host name: a to z, 0 to 9 and hyphens."),
      snapshot ? null : labelled("Begins with", begin),
    ],
    send: async () => {
      const answer = await life.post("namespaces", {
        name: name.value.trim(),
        ...(snapshot ? { snapshot } : begin.value ? { fork: here ?? "localhost" } : {}),
      });
      announce(`Namespace ${answer.name} created`);
      created.replaceChildren(h("div", { class: "told" },
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
    title: `Delete the namespace ${name}?`, action: "Delete", danger: true, about: "Everything in it is deleted, and requests held in it fail.",
    send: async () => {
      await life.remove("namespaces", { name });
      announce(`Namespace ${name} deleted`);
      if (name === here) location.href = pageOf(null);
      else again.namespaces();
    },
  });
}
