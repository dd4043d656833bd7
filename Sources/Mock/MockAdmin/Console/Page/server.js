// The server itself: how it is, emptying it, and its switches.
import { dialog } from "./dialog.js";
import { announce, badge, button, choice, facts, h, labelled, number, section, time } from "./dom.js";
import { download } from "./download.js";
import { follow } from "./feed.js";
import { switchesPart } from "./switches.js";

export function open(_, life) {
  const health = h("div", { class: "stack" });
  follow(life, health, ["request", "administration", "reset"], (asking) => asking.get("health"), showHealth);
  return {
    title: () => "Server",
    content: [
      h("div", { class: "head" }, h("h1", {}, "Server"),
        h("div", { class: "actions" }, button("Reset…", () => reset(life), "danger"))),
      h("div", { class: "panels" },
        section("Status", { panel: true }, health),
        section("Downloads", { panel: true }, h("ul", { class: "plain" }, downloads.map(([path, text, about]) =>
          h("li", {}, download(path, path.replaceAll("/", "-"), text), h("span", { class: "quiet" }, ` ${about}`)))))),
      switchesPart(life),
    ],
  };
}

const downloads = [
  ["ca.pem", "The authority’s certificate", "for clients, to trust the server"],
  ["dump", "The public databases", "as lines of JSON"],
  ["openapi.json", "The OpenAPI document", "of the service and the administration"],
];

function showHealth(health) {
  return facts([
    ["State", health.status === "ok" ? badge("running", "fine") : [badge("accepts no writes", "bad"), ` ${health.takesNoWrites}`]],
    ["Address", h("span", { class: "mono" }, health.url)],
    ["Store", health.store === "memory" ? "in memory, deleted when it stops" : "in a folder"],
    ["Started", time(Date.parse(health.startedAt))],
    ["Accounts", String(health.users)],
    ["Requests so far", number(health.requests)],
    ["Faults set", String(health.faults)],
    ["Failed commits", health.commitFailures ? String(health.commitFailures) : null],
    ["Seed", h("span", { class: "mono" }, health.seed)],
  ]);
}

async function reset(life) {
  let users = [];
  try { ({ users } = await life.get("users")); } catch { /* The dialog's own request will say why. */ }
  const user = choice([["", "All users"], ...users.map(({ name }) => [name, name])]);
  const also = ["faults", "journal", "clock", "findings"].map((name) => [name, h("input", { type: "checkbox", id: `also-${name}` })]);
  dialog({
    title: "Empty the store?", danger: true, action: "Empty it",
    about: "Zones, records, shares and subscriptions are deleted. Only a snapshot can restore them.",
    body: [
      labelled("Data of", user),
      h("fieldset", {}, h("legend", {}, "Also reset"),
        also.map(([name, box]) => h("div", { class: "check" }, box, h("label", { for: `also-${name}` },
          { faults: "all faults", journal: "the journal of requests", clock: "the clock, back to the real time",
            findings: "what the linter has found" }[name])))),
    ],
    send: async () => {
      await life.post("reset", {
        ...(user.value ? { user: user.value } : {}), also: also.filter(([, box]) => box.checked).map(([name]) => name),
      });
      announce(user.value ? `The data of ${user.value} was deleted` : "The store is empty");
    },
  });
}
