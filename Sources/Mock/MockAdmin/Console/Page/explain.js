// Why a request was answered as it was: the rules that have refused it, and how each is known.
import { base, link } from "./api.js";
import { badge, button, facts, fill, h, pieces, plural } from "./dom.js";

/** How a rule of the server is known. */
const standings = {
  documented: ["fine", "documented by Apple"],
  observed: ["fine", "observed at the real service"],
  inferred: ["note", "inferred, not observed"],
  ours: ["warn", "chosen here: CloudKit's behavior is unknown, or different on purpose"],
};

/** A button that asks why, and the place where it is answered. */
export function why(entry, life) {
  const heading = h("h3", { id: "why-title", tabindex: "-1" }, "Why this response");
  const answer = h("div", { class: "stack" });
  const part = h("section", { class: "stack", "aria-labelledby": "why-title", hidden: true }, heading, answer);
  const ask = button("Why this response?", async () => {
    part.hidden = false;
    heading.focus();
    await fill(answer, async () => explanation(await life.get("explain", { request: entry.number })));
  });
  return { ask, part };
}

function explanation({ findings, faults, more }) {
  if (!findings.length) {
    return h("p", {}, "Nothing was refused.",
      faults.length ? [" These faults fired on it: ", h("a", { href: link("faults") }, faults.join(", ")), "."] : null);
  }
  return pieces([
    h("ul", { class: "plain reasons" }, findings.map((finding) => h("li", { class: "stack" }, one(finding)))),
    more ? h("p", { class: "quiet" }, `${plural(more, "item")} more failed that are not in the journal.`) : null,
  ]);
}

function one(finding) {
  const [kind, known] = standings[finding.status] ?? ["", null];
  return [
    h("p", {}, h("strong", {}, finding.item ?? "The whole request"), " ", badge(finding.code, "bad")),
    finding.explained ? null : h("p", {}, "No rule was recorded for this decision. ", finding.reason),
    facts([
      ["Fault", finding.fault && h("a", { href: link("faults") }, finding.fault)],
      ["Rule", finding.rule && ruleLink(finding.rule)],
      ["When", finding.request],
      ["Response", finding.response],
      ["Based on", finding.facts],
      ["Known", finding.status && [badge(finding.status, kind), known ? ` ${known}` : ""]],
      ["Source", finding.source],
      ["Date", finding.date],
    ]),
  ];
}

/** A rule by its name, with a link if that is a number. */
function ruleLink(rule) {
  if (!/^\d+$/.test(rule)) return rule;
  return h("a", { href: `${base}/_mock/v1/rules?number=${rule}` }, `rule ${rule}`);
}
