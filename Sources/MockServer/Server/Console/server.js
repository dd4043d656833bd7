// The server itself: its clock, its snapshots, its switches, and emptying it.
import { askFor } from "./acts.js";
import { dialog } from "./dialog.js";
import { announce, badge, choice, facts, failure, fill, h, labelled, time } from "./dom.js";

export function open(_, life) {
  const health = h("div", { class: "stack" });
  const clock = h("div", { class: "stack" });
  const snapshots = h("div", { class: "stack" });
  const switches = h("div", { class: "stack" });
  fill(health, () => showHealth(life));
  fill(clock, () => showClock(life, clock));
  fill(snapshots, () => showSnapshots(life, snapshots));
  fill(switches, () => showSwitches(life));
  life.every(5000, () => clock.contains(document.activeElement) || fill(clock, () => showClock(life, clock)));
  const part = (id, title, about, ...content) => h("section", { class: "panel stack", "aria-labelledby": id },
    h("h2", { id }, title), about && h("p", { class: "quiet" }, about), content);
  return {
    title: () => "Server",
    content: [
      h("div", { class: "head" }, h("h1", {}, "Server")),
      h("div", { class: "panels" },
        part("health-title", "How it is", null, health),
        part("clock-title", "Clock", "Times in records, and when tokens and addresses expire, go by it.", clock),
        h("div", { class: "panels" }, part("snapshots-title", "Snapshots", "What is stored, kept in memory until the server stops.", snapshots),
        part("reset-title", "Reset", "Accounts, containers and schemas stay; the rest goes.",
          h("div", { class: "actions" },
            h("button", { type: "button", class: "danger", onclick: () => reset(life) }, "Reset…"))))),
      part("switches-title", "Switches", "How the service behaves where the real one is unknown or can be both. A change counts at once.", switches),
    ],
  };
}

async function showHealth(life) {
  const health = await life.get("health");
  return facts([
    ["State", health.status === "ok" ? badge("running", "fine") : [badge("takes no writes", "bad"), ` ${health.takesNoWrites}`]],
    ["Address", h("span", { class: "mono" }, health.url)],
    ["Store", health.store === "memory" ? "in memory, gone when it stops" : "in a folder"],
    ["Started", time(Date.parse(health.startedAt))],
    ["Accounts", String(health.users)],
    ["Requests so far", health.requests.toLocaleString("en")],
    ["Faults set", String(health.faults)],
    ["Failed commits", health.commitFailures ? String(health.commitFailures) : null],
    ["Seed", h("span", { class: "mono" }, health.seed)],
  ]);
}

// Clock

async function showClock(life, place) {
  const clock = await life.get("clock");
  const isFrozen = clock.mode === "frozen";
  const change = async (path, send, body, text) => {
    try {
      await send.call(life, path, body);
      announce(text);
      await fill(place, () => showClock(life, place));
      place.querySelector("button").focus();
    } catch (error) {
      place.append(failure(error));
    }
  };
  const moment = h("input", { type: "text", autocomplete: "off", spellcheck: "false", value: clock.now });
  const step = (label, seconds) => h("button", { type: "button", onclick: () =>
    change("clock/advance", life.post, { seconds }, `The clock was moved by ${label.slice(1)}`) }, label);
  return [
    h("p", { class: "clock" }, time(clock.milliseconds), " ", badge(isFrozen ? "frozen" : "goes on", isFrozen ? "warn" : "fine")),
    h("div", { class: "actions" },
      isFrozen
        ? h("button", { type: "button", onclick: () => change("clock", life.put, { mode: "real" }, "The clock goes on with the real time") }, "Go on with the real time")
        : h("button", { type: "button", onclick: () => change("clock", life.put, { mode: "frozen" }, "The clock stands still") }, "Freeze"),
      step("+1 minute", 60), step("+1 hour", 3600), step("+1 day", 86400), step("+30 days", 30 * 86400)),
    h("form", { class: "inline", onsubmit: (event) => {
      event.preventDefault();
      change("clock", life.put, { now: moment.value.trim() }, "The clock was set");
    } }, labelled("Set it to", moment, "Like 2026-01-15T08:30:00Z; from there it goes on, or stands still when frozen."),
    h("button", {}, "Set")),
  ];
}

// Snapshots

async function showSnapshots(life, place) {
  const [{ snapshots }, { acts }] = await Promise.all([life.get("snapshots"), life.get("act")]);
  const name = h("input", { type: "text", autocomplete: "off", spellcheck: "false", required: true });
  const problem = h("div", {});
  const again = () => fill(place, () => showSnapshots(life, place));
  return [
    snapshots.length ? h("ul", { class: "plain rows" }, snapshots.map((snapshot) => h("li", {},
      h("span", { class: "mono" }, snapshot),
      h("button", { type: "button", onclick: () => askFor(life, acts.find((act) => act.act === "restore"), { name: snapshot }) },
        "Restore…", h("span", { class: "unseen" }, ` ${snapshot}`)))))
      : h("p", { class: "empty" }, "There is no snapshot."),
    h("form", { class: "inline", onsubmit: async (event) => {
      event.preventDefault();
      try {
        await life.post("act", { act: "snapshot", name: name.value.trim() });
        announce(`Snapshot ${name.value.trim()} taken`);
        await again();
        place.querySelector("input").focus();
      } catch (error) {
        problem.replaceChildren(failure(error));
      }
    } }, labelled("Name", name), h("button", {}, "Take a snapshot")),
    problem,
  ];
}

// Reset

async function reset(life) {
  let users = [];
  try { ({ users } = await life.get("users")); } catch { /* The dialog's own request will say why. */ }
  const user = choice([["", "Everybody"], ...users.map(({ name }) => [name, name])]);
  const also = ["faults", "journal", "clock"].map((name) => [name, h("input", { type: "checkbox", id: `also-${name}` })]);
  dialog({
    title: "Empty the store?", danger: true, action: "Empty it",
    about: "Zones, records, shares and subscriptions go. This cannot be undone, except with a snapshot.",
    body: [
      labelled("Whose data", user),
      h("fieldset", {}, h("legend", {}, "And besides"),
        also.map(([name, box]) => h("div", { class: "check" }, box, h("label", { for: `also-${name}` },
          { faults: "all faults", journal: "the journal of requests", clock: "the clock, back to the real time" }[name])))),
    ],
    send: async () => {
      await life.post("reset", {
        ...(user.value ? { user: user.value } : {}), also: also.filter(([, box]) => box.checked).map(([name]) => name),
      });
      announce(user.value ? `The data of ${user.value} are gone` : "The store is empty");
    },
  });
}

// Switches

async function showSwitches(life) {
  const [options, { switches }] = await Promise.all([life.get("options"), life.get("")]);
  return h("ul", { class: "plain switches" }, switches.map((option) => line(life, option, options[option.name])));
}

function line(life, option, value) {
  const name = `switch-${option.name}`;
  const problem = h("div", { class: "switch-problem" });
  const isFlag = option.values === "true|false";
  const names = option.values.includes("|") ? option.values.split("|") : null;
  const range = names ? null : option.values.split("...");
  const input = isFlag ? h("input", { type: "checkbox", class: "toggle", role: "switch" })
    : names ? choice(names.map((text) => [text, text]), String(value))
      : h("input", { type: "number", min: range[0], max: range[1], value });
  if (isFlag) input.checked = value;
  input.id = name;
  input.setAttribute("aria-describedby", `${name}-about`);
  const mark = h("span", { class: "quiet small" });
  const note = (now) => { mark.textContent = String(now) === option.standard ? "" : `standard: ${option.standard}`; };
  note(value);
  input.addEventListener("change", async () => {
    const wanted = isFlag ? input.checked : names ? input.value : Number(input.value);
    try {
      const now = (await life.put("options", { [option.name]: wanted }))[option.name];
      problem.replaceChildren();
      note(now);
      announce(`${option.name} is ${now}`);
    } catch (error) {
      problem.replaceChildren(failure(error));
    }
  });
  return h("li", {},
    h("div", {}, h("label", { for: name, class: "mono" }, option.name), " ", mark,
      h("p", { class: "quiet", id: `${name}-about` }, option.about)),
    input, problem);
}
