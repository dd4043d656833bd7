// What can happen to an account outside of any request: a button an act, its parameters in a dialog.
import { link } from "./api.js";
import { dialog } from "./dialog.js";
import { announce, choice, fill, h, labelled } from "./dom.js";

const groups = [
  ["The user", ["purge", "reset-encrypted-data", "sign-out", "sign-in", "switch-account", "restrict", "unrestrict",
    "fill-quota", "free-quota", "change-terms", "accept-terms", "expire-web-tokens", "rotate-web-tokens"]],
  ["Sharing and roles", ["share", "leave-share", "revoke-share", "grant-role", "take-role"]],
  ["Devices and feeds", ["recreate-zone", "expire-tokens", "compact"]],
  ["The service", ["snapshot", "restore"]],
];

const labels = {
  user: "User", with: "Other user", device: "Device", container: "Container", environment: "Environment",
  database: "Database", zone: "Zone", name: "Name",
};

export function open(_, life) {
  const place = h("div", { class: "stack" });
  fill(place, async () => {
    const { acts } = await life.get("act");
    const rest = acts.map((act) => act.act).filter((name) => !groups.some(([, names]) => names.includes(name)));
    return [...groups, ...(rest.length ? [["Others", rest]] : [])].map(([title, names], index) =>
      h("section", { class: "stack", "aria-labelledby": `acts-${index}` },
        h("h2", { id: `acts-${index}` }, title),
        h("ul", { class: "cards" }, names.map((name) => acts.find((act) => act.act === name)).filter(Boolean).map((act) =>
          h("li", {}, h("button", { type: "button", class: "card act", onclick: () => askFor(life, act) },
            h("strong", {}, words(act.act)), h("span", { class: "quiet" }, sentence(act.about))))))));
  });
  return {
    title: () => "Events",
    content: [
      h("div", { class: "head" }, h("h1", {}, "Events")),
      h("p", { class: "quiet" }, "Events that no request of an app causes. A client must handle all of them."),
      place,
    ],
  };
}

function sentence(text) { return text.charAt(0).toUpperCase() + text.slice(1) + "."; }

function words(name) {
  const text = name.replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Asks for an act's parameters, and has it carried out. */
export async function askFor(life, act, given = {}) {
  let known;
  try {
    const [{ users }, { databases }, { containers }, { snapshots }] = await Promise.all([
      life.get("users"), life.get("summary"), life.get("containers"), life.get("snapshots"),
    ]);
    known = {
      users: users.map((user) => user.name),
      containers: [...new Set([...containers, ...databases.map((database) => database.container)])].sort(),
      snapshots,
    };
  } catch {
    known = { users: [], containers: [], snapshots: [] };
  }
  const inputs = {};
  const all = [...act.needs.map((name) => [name, true]), ...act.takes.map((name) => [name, false])];
  const fields = all.map(([name, isNeeded]) => {
    inputs[name] = input(name, isNeeded, known, act, given[name] ?? "");
    return labelled(labels[name] + (isNeeded ? "" : " (may be empty)"), inputs[name]);
  });
  dialog({
    title: words(act.act), about: sentence(act.about),
    action: "Simulate", danger: ["purge", "reset-encrypted-data", "restore"].includes(act.act),
    body: [fields,
      lists("known-containers", known.containers), lists("known-snapshots", known.snapshots)],
    send: async () => {
      const body = { act: act.act };
      for (const [name, field] of Object.entries(inputs)) {
        const text = field.value.trim();
        if (text) body[name] = text;
      }
      const done = await life.post("act", body);
      tell(done);
    },
  });
}

function lists(id, names) { return h("datalist", { id }, names.map((name) => h("option", { value: name }))); }

function input(name, required, known, act, value) {
  switch (name) {
    case "user": case "with": {
      const options = known.users.map((user) => [user, user]);
      return choice(required ? options : [["", "All users"], ...options],
        value || (required ? known.users[name === "with" ? 1 : 0] ?? "" : ""), { required });
    }
    case "environment": return choice([["", "Default of the event"], ["development", "development"], ["production", "production"]], value);
    case "database": return choice([["", "Default of the event"], ["private", "private"], ["shared", "shared"]], value);
    case "container": return h("input", { type: "text", required, list: "known-containers", autocomplete: "off", spellcheck: "false", value: value || (required ? known.containers[0] ?? "" : "") });
    default: return h("input", {
      type: "text", required, autocomplete: "off", spellcheck: "false", value,
      list: name === "name" && act.act === "restore" ? "known-snapshots" : null,
    });
  }
}

/** Says what an act changed, in the view and to who cannot see it. */
function tell(done) {
  const text = `${words(done.act)}: ${done.message}`;
  announce(text);
  document.querySelector(".told")?.remove();
  const zones = done.zones?.length ? ` Zones: ${done.zones.join(", ")}.` : "";
  document.querySelector("main .head").after(h("div", { class: "told" },
    h("p", {}, h("strong", {}, words(done.act)), ` ${done.message}.${zones}`),
    done.webToken ? h("details", {}, h("summary", {}, "The new web token"), h("pre", { tabindex: "0" }, done.webToken)) : null,
    h("p", {}, h("a", { href: link("data") }, "Show the data"))));
}
