// Simulated events: a button for each, and a dialog for its parameters.
import { link } from "./api.js";
import { dialog } from "./dialog.js";
import { announce, choice, fill, h, labelled } from "./dom.js";

const groups = [
  ["The user", ["purge", "reset-encrypted-data", "sign-out", "sign-in", "switch-account", "restrict", "unrestrict",
    "fill-quota", "free-quota", "change-terms", "accept-terms", "expire-web-tokens", "rotate-web-tokens"]],
  ["Sharing and roles", ["share", "leave-share", "revoke-share", "grant-role", "take-role"]],
  ["Devices and feeds", ["recreate-zone", "expire-tokens", "compact"]],
  ["The service", ["snapshot", "restore"]],
  ["Pending work", ["finish-cascades", "update-indexes", "update-zone-lists", "finish-zone-deletions", "deliver-pushes"]],
];

const labels = {
  user: "User", with: "Other user", device: "Device", container: "Container", environment: "Environment",
  database: "Database", zone: "Zone", name: "Name", count: "Number",
};

export function open(_, life) {
  const place = h("div", { class: "stack" });
  fill(place, async () => {
    const { events } = await life.get("simulate");
    const rest = events.map((event) => event.event).filter((name) => !groups.some(([, names]) => names.includes(name)));
    return [...groups, ...(rest.length ? [["Others", rest]] : [])].map(([title, names], index) =>
      h("section", { class: "stack", "aria-labelledby": `events-${index}` },
        h("h2", { id: `events-${index}` }, title),
        h("ul", { class: "cards" }, names.map((name) => events.find((event) => event.event === name)).filter(Boolean).map((event) =>
          h("li", {}, h("button", { type: "button", class: "card simulated", onclick: () => askFor(life, event) },
            h("strong", {}, words(event.event)), h("span", { class: "quiet" }, sentence(event.about))))))));
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

export function sentence(text) { return text.charAt(0).toUpperCase() + text.slice(1) + "."; }

export function words(name) {
  const text = name.replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Asks for an event's parameters, and simulates it. */
export async function askFor(life, event, given = {}) {
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
  const all = [...event.needs.map((name) => [name, true]), ...event.takes.map((name) => [name, false])];
  const fields = all.map(([name, isNeeded]) => {
    inputs[name] = input(name, isNeeded, known, event, given[name] ?? "");
    return labelled(labels[name] + (isNeeded ? "" : " (may be empty)"), inputs[name]);
  });
  dialog({
    title: words(event.event), about: sentence(event.about),
    action: "Simulate", danger: ["purge", "reset-encrypted-data", "restore"].includes(event.event),
    body: [fields,
      lists("known-containers", known.containers), lists("known-snapshots", known.snapshots)],
    send: async () => {
      const body = { event: event.event };
      for (const [name, field] of Object.entries(inputs)) {
        const text = field.value.trim();
        if (text) body[name] = name === "count" ? Number(text) : text;
      }
      const done = await life.post("simulate", body);
      tell(done);
    },
  });
}

function lists(id, names) { return h("datalist", { id }, names.map((name) => h("option", { value: name }))); }

function input(name, required, known, event, value) {
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
      list: name === "name" && event.event === "restore" ? "known-snapshots" : null,
    });
  }
}

/** Shows what an event changed, and announces it to screen readers. */
function tell(done) {
  const text = `${words(done.event)}: ${done.message}`;
  announce(text);
  document.querySelector(".told")?.remove();
  const zones = done.zones?.length ? ` Zones: ${done.zones.join(", ")}.` : "";
  document.querySelector("main .head").after(h("div", { class: "told" },
    h("p", {}, h("strong", {}, words(done.event)), ` ${done.message}.${zones}`),
    done.webToken ? h("details", {}, h("summary", {}, "The new web token"), h("pre", { tabindex: "0" }, done.webToken)) : null,
    h("p", {}, h("a", { href: link("data") }, "Show the data"))));
}
