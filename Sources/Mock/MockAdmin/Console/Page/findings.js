// What the linter has found in what clients send, and what it looks for.
import { link } from "./api.js";
import { dialog } from "./dialog.js";
import { announce, badge, button, choice, empty, failure, fill, h, labelled, number, plural, section, table } from "./dom.js";
import { follow } from "./feed.js";
import { zoneOf } from "./places.js";

/** Findings in the page at once, the newest. */
const shownMax = 200;

export function open({ rule, final }, life) {
  const place = h("div", { class: "stack" });
  const problem = h("div", {});
  const rules = h("div", { class: "stack" });
  const wanted = choice([["", "Every rule"]]);
  const ended = h("input", { type: "checkbox", id: "clients-ended" });
  ended.checked = final === "1";
  const load = follow(life, place, ["request", "administration", "reset"],
    (asking) => asking.get("findings", { rule, final: ended.checked ? "true" : null }),
    (answer) => [state(life, answer, problem, () => load()), found(answer, rule)]);
  fill(rules, async () => {
    const answer = await life.get("findings");
    wanted.append(...answer.rules.map((one) => h("option", { value: one.rule }, one.rule)));
    wanted.value = rule ?? "";
    return ruleTable(answer.rules);
  });
  const choose = () => { location.hash = link("findings", { rule: wanted.value, final: ended.checked ? "1" : null }); };
  wanted.addEventListener("change", choose);
  ended.addEventListener("change", choose);
  return {
    title: () => "Findings",
    content: [
      h("div", { class: "head" }, h("h1", {}, "Findings"),
        h("div", { class: "actions" }, button("Discard all…", () => forget(life, load)))),
      h("p", { class: "quiet" }, "What clients do wrong, with the requests that prove it. The linter changes no response."),
      h("div", { class: "note" }, labelled("Rule", wanted),
        h("div", { class: "check" }, ended, h("label", { for: "clients-ended" }, "The clients have ended: what they left undone counts too"))),
      problem, place,
      section("What it checks", { about: "Each client is a sign-in: a web token, or a device’s tokens, with the clientId that it sends." }, rules),
    ],
  };
}

/** Whether clients are watched, and the button that changes it. */
function state(life, { check }, problem, load) {
  const turn = async () => {
    try {
      await life.put("options", { check: !check });
      problem.replaceChildren();
      announce(check ? "The linter is off" : "The linter is on");
    } catch (error) {
      problem.replaceChildren(failure(error));
    }
    load();
  };
  if (check) {
    return h("div", { class: "note" }, h("p", {}, badge("on", "fine"), " Every client of this namespace is checked."),
      button("Turn it off", turn));
  }
  return h("div", { class: "empty stack" },
    h("p", {}, badge("off"), " No client is checked. Turn the linter on here, or start the server with ",
      h("code", {}, "--check"), "; then run your app or its tests."),
    h("div", { class: "actions" }, button("Turn it on", turn, "primary")));
}

function found({ check, findings, dropped }, rule) {
  if (!findings.length) {
    return check ? empty(rule ? `Nothing of the rule ${rule} was found.` : "No client did anything wrong.") : null;
  }
  const shown = findings.slice(-shownMax).reverse();
  const left = findings.length - shown.length;
  return [
    h("p", { class: "quiet", id: "findings-count" }, plural(findings.length, "finding"),
      left ? `; the newest ${number(shownMax)} are shown: choose a rule` : "",
      dropped ? `; ${number(dropped)} more were discarded` : ""),
    table("Findings, the newest first", [
      ["Rule", (one) => badge(one.rule, "warn")],
      ["What happened", (one) => [one.message, one.times > 1 ? h("span", { class: "quiet" }, ` Seen ${number(one.times)} times.`) : null]],
      ["Instead", (one) => one.instead],
      ["Client", client],
      ["Where", zone],
      ["Requests", (one) => one.requests.map((request, index) => [index ? ", " : "",
        h("a", { href: link("requests", { entry: request }) }, h("span", { class: "unseen" }, "Request "), String(request))])],
    ], shown),
  ];
}

function client(one) {
  const words = [one.user, one.device, one.clientId].filter(Boolean);
  return words.length ? words.join(" · ") : "no user";
}

function zone(one) {
  if (!one.zone) return one.database ? `${one.database} database` : "no database";
  if (one.database === "shared") return one.zone;
  return h("a", { href: link("data", zoneOf({ ...one, user: one.database === "public" ? null : one.user })) }, one.zone);
}

function ruleTable(rules) {
  return table("Rules of the linter", [
    ["Rule", (one) => h("span", { class: "mono whole" }, one.rule)],
    ["What is wrong", (one) => one.about],
    ["Instead", (one) => one.instead],
  ], rules);
}

function forget(life, load) {
  dialog({
    title: "Discard all findings?", action: "Discard all", danger: true,
    about: "The history of clients is discarded too: the linter starts again. Data and journal stay.",
    send: async () => {
      await life.remove("findings");
      announce("The findings were discarded");
      await load();
    },
  });
}
