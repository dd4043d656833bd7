// Gates: which requests wait where, and letting them go on.
import { link } from "./api.js";
import { dialog } from "./dialog.js";
import { announce, badge, button, choice, empty, failure, h, labelled, line, number, plural, section, table, time } from "./dom.js";
import { ruleCode } from "./faults.js";
import { follow } from "./feed.js";

const points = [
  ["received", "before it is processed"],
  ["before-commit", "before it is executed, after other faults"],
  ["after-commit", "after it is executed and stored"],
  ["before-reply", "before the response is sent"],
];

export function open(_, life) {
  const place = h("div", { class: "stack" });
  const problem = h("div", {});
  // Nothing tells of a request that comes to a gate.
  const load = follow(life, place, ["fault", "request", "administration", "reset", "time"],
    (asking) => Promise.all([asking.get("gates"), asking.get("faults")]),
    ([answer, { rules }]) => show(answer, rules, acts));
  const acts = {
    async release(gate, which) {
      try {
        tell(await life.post("gates/release", { name: gate.name, ...which }));
        problem.replaceChildren();
      } catch (error) {
        problem.replaceChildren(failure(error));
      }
      await load();
    },
    releaseSome: (gate) => releaseSome(life, gate, load),
    remove: (gate) => remove(life, gate, load),
  };
  return {
    title: () => "Gates",
    content: [
      h("div", { class: "head" }, h("h1", {}, "Gates"),
        h("div", { class: "actions" },
          button("Add a gate…", () => addGate(life, load), "primary"),
          button("Remove all…", () => remove(life, null, load)))),
      h("p", { class: "quiet" }, "Requests wait at a gate until you release them, so requests of two clients can be put in any order. A gate is set by a rule, as ",
        h("a", { href: link("faults") }, "faults"), " are."),
      problem, place,
    ],
  };
}

/** Says what a release has done. */
function tell({ released, left }) {
  announce(released.length
    ? `${plural(released.length, "request")} released, ${number(left)} left`
    : "No request waits there anymore");
}

function show({ gates, timedOut }, rules, acts) {
  return [
    timedOut ? h("p", { class: "quiet" }, `${plural(timedOut, "request")} released by their time limit.`) : null,
    gates.length ? gates.map((gate) => one(gate, rules, acts)) : empty("No gate is set: no request waits."),
  ];
}

/** A gate with who waits at it. */
function one(gate, rules, acts) {
  const count = gate.waiting.length;
  const own = rules.filter((rule) => gate.rules.includes(rule.id));
  return section(gate.name, { panel: true },
    own.map((rule) => h("p", {}, ruleCode(rule.text))),
    count ? null : h("p", { class: "quiet" }, "No request waits here."),
    h("div", { class: "actions" },
      count > 0 && [
        button("Release the next", () => acts.release(gate, { count: 1 }), "primary", `at ${gate.name}`),
        button("Release some…", () => acts.releaseSome(gate), null, `at ${gate.name}`),
        button("Release all", () => acts.release(gate, {}), null, `at ${gate.name}`),
      ],
      button("Remove…", () => acts.remove(gate), "danger", gate.name)),
    count ? table(`Requests that wait at ${gate.name}, the first to come first`, [
      ["Waits", (held) => `number ${held.number}`],
      ["Request", (held) => h("span", { class: "mono" }, held.operation)],
      ["User", (held) => [held.user ?? "no user", held.device].filter(Boolean).join(" · ")],
      ["Zones", (held) => held.zones.join(", ") || "none"],
      ["Held", (held) => badge(held.at)],
      ["Since", (held) => time(held.time)],
      ["Release", (held) => button("Release", () => acts.release(gate, { numbers: [held.number] }), null, `number ${held.number}`)],
    ], gate.waiting) : null);
}

function releaseSome(life, gate, load) {
  const count = h("input", { type: "number", min: 1, max: gate.waiting.length, required: true, value: Math.min(2, gate.waiting.length) });
  dialog({
    title: `Release some at ${gate.name}`, action: "Release",
    about: "The oldest are released first, one after another.",
    body: labelled("How many", count, `${plural(gate.waiting.length, "request")} ${gate.waiting.length === 1 ? "waits" : "wait"}.`),
    send: async () => {
      tell(await life.post("gates/release", { name: gate.name, count: Number(count.value) }));
      await load();
    },
  });
}

function addGate(life, load) {
  const name = line({ required: true });
  const when = line({ required: true, class: "mono" });
  const at = choice(points.map(([key, words]) => [key, `${key}: ${words}`]), "received");
  const deadline = h("input", { type: "number", min: 1, max: 600, required: true, value: 60 });
  dialog({
    title: "Add a gate", action: "Add the gate",
    body: [
      labelled("Name", name),
      labelled("Which requests wait", when, "As a fault before its arrow: records/modify, or any in zone Notes by user ann 2 times"),
      labelled("They wait", at),
      labelled("Seconds until they are released automatically", deadline, "600 at most."),
    ],
    send: async () => {
      await life.post("gates", { name: name.value.trim(), when: when.value.trim(), at: at.value, deadline: Number(deadline.value) });
      announce(`The gate ${name.value.trim()} is set`);
      await load();
    },
  });
}

/** Takes away a gate, or all where none is named. */
function remove(life, gate, load) {
  dialog({
    title: gate ? `Remove the gate ${gate.name}?` : "Remove all gates?", danger: true, action: gate ? "Remove" : "Remove all",
    about: "Its rules are removed, and the requests held there are released.",
    send: async () => {
      await life.remove("gates", gate ? { name: gate.name } : {});
      announce(gate ? `The gate ${gate.name} is removed` : "All gates are removed");
      await load();
    },
  });
}
