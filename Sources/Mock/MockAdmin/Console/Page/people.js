// Who takes part in a share.
import { link } from "./api.js";
import { h, table } from "./dom.js";

function words(text) { return (text ?? "").toLowerCase().replaceAll("_", " "); }

export function participantTable(people, caption) {
  return table(caption, [
    ["Participant", (person) => person.user ? h("a", { href: link("data", { user: person.user }) }, person.user)
      : h("span", { class: "mono" }, person.userRecordName ?? "not found")],
    ["Role", (person) => words(person.role)],
    ["May", (person) => words(person.permission)],
    ["Invitation", (person) => words(person.acceptance)],
  ], people);
}
