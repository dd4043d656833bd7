// The faults: which are set, how often each matched and fired, new ones by their text.
import { link } from "./api.js";
import { dialog } from "./dialog.js";
import { announce, badge, h, labelled, number, table } from "./dom.js";
import { follow } from "./feed.js";

const examples = [
  ["records/modify once -> CONFLICT", "the next save is refused"],
  ["10% any -> cut after commit", "one request in ten is executed, and its response is lost"],
  ["reads -> delay 800ms", "every read is slow"],
  ["3rd zones/modify -> THROTTLED retry 30s", "the third change of zones is throttled"],
  ["records/modify in zone Notes* -> QUOTA_EXCEEDED on 2 items", "two items of a batch fail"],
  ["changes/zone 2 times -> empty page", "two pages come empty, with more to come"],
];

export function open(_, life) {
  const place = h("div", { class: "stack" });
  const load = follow(life, place, ["fault", "request", "administration"],
    (asking) => asking.get("faults"), ({ rules }) => list(life, rules, () => load()));
  return {
    title: () => "Faults",
    content: [
      h("div", { class: "head" }, h("h1", {}, "Faults"),
        h("div", { class: "actions" },
          h("button", { type: "button", class: "primary", onclick: () => addFault(life, "", null, load) }, "Add a fault"),
          h("button", { type: "button", onclick: () => removeAll(life, load) }, "Remove all"))),
      h("p", { class: "quiet" }, "A fault defines which requests fail, how often, and how. Rules are tried in this order. Rules that hold requests are ",
        h("a", { href: link("gates") }, "gates"), "."),
      place,
      h("section", { class: "stack", "aria-labelledby": "examples-title" },
        h("h2", { id: "examples-title" }, "Examples"),
        h("ul", { class: "cards wide" }, examples.map(([text, about]) => h("li", {},
          h("button", { type: "button", class: "example", onclick: () => addFault(life, text, null, load) },
            ruleCode(text), h("span", { class: "quiet" }, about)))))),
    ],
  };
}

/** The text of a rule, whose arrow is not broken. */
export function ruleCode(text) {
  return h("code", { class: "rule" }, text.split(/( ->)/).map((part) => part === " ->" ? [" ", h("span", { class: "whole" }, "->")] : part));
}

function list(life, rules, load) {
  if (!rules.length) return h("p", { class: "empty" }, "No fault is set: the service works normally.");
  return table("Faults that are set", [
    ["Fault", (rule) => h("span", {}, rule.id)],
    ["Rule", (rule) => ruleCode(rule.text)],
    ["Matched", (rule) => number(rule.matched), "number"],
    ["Fired", (rule) => rule.fired
      ? h("a", { href: link("requests", { fault: rule.id }) }, number(rule.fired), h("span", { class: "unseen" }, ` times; show the requests`))
      : badge("not yet"), "number"],
    ["Remove", (rule) => h("button", { type: "button", onclick: async (event) => {
      event.target.disabled = true;
      try {
        await life.remove("faults", { id: rule.id });
        announce(`${rule.id} removed`);
      } catch (error) {
        announce(error.message);
      }
      await load();
      document.querySelector("h1").focus();
    } }, "Remove", h("span", { class: "unseen" }, ` ${rule.id}`))],
  ], rules);
}

function removeAll(life, load) {
  dialog({
    title: "Remove all faults?", danger: true, action: "Remove all",
    about: "The service then works normally.",
    send: async () => {
      await life.remove("faults");
      announce("All faults removed");
      await load();
    },
  });
}

/** Asks for a rule, beginning with `text`; `done` is called once it is set. */
export function addFault(life, text, about = null, done = () => {}) {
  const rule = h("textarea", { rows: 4, spellcheck: "false", required: true, class: "mono", value: text });
  dialog({
    title: "Add a fault", about, action: "Add the fault",
    body: labelled("Rule", rule, "Such as: 3rd modify in zone Notes* by user ann -> CONFLICT on 2 items"),
    send: async () => {
      await life.post("faults", { rules: [rule.value.replace(/\s*\n\s*/g, " ").trim()] });
      announce("The fault is set");
      await done();
    },
  });
  rule.focus();
}
