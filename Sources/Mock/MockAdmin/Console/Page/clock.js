// What time it is for the server, and what it does later.
import { announce, badge, button, choice, failure, h, labelled, line, number, section, table, time } from "./dom.js";
import { follow } from "./feed.js";
import { sentence, words } from "./simulate.js";

const steps = [["1 minute", "1m"], ["1 hour", "1h"], ["1 day", "1d"], ["30 days", "30d"]];
const modes = [["real", "in real time"], ["frozen", "not at all"], ["scaled", "at a rate"]];
const modeBadges = { real: ["advances", "fine"], frozen: ["frozen", "warn"], scaled: ["scaled", "note"] };

export function open(_, life) {
  const now = h("p", { class: "now" });
  const problem = h("div", {});
  const pending = h("div", { class: "stack" });
  let shown = 0;
  const mode = choice(modes, "real");
  const rate = line({ inputmode: "decimal", value: "60" });
  const rateField = labelled("Seconds per real second", rate);
  const moment = line({ placeholder: "2026-01-15T08:30:00Z", required: true });
  const step = line({ placeholder: "1h30m", required: true });

  const show = (clock) => {
    const [text, kind] = modeBadges[clock.mode];
    const speed = { real: 1, frozen: 0, scaled: clock.rate }[clock.mode];
    const begin = performance.now();
    clearInterval(shown);
    const draw = () => now.replaceChildren(
      time(Math.floor((clock.milliseconds + (performance.now() - begin) * speed) / 1000) * 1000), " ",
      badge(clock.mode === "scaled" ? `${text}, ${clock.rate} to 1` : text, kind));
    draw();
    if (speed > 0) shown = setInterval(draw, 1000);
    if (!mode.matches(":focus")) mode.value = clock.mode;
    rateField.hidden = mode.value !== "scaled";
  };
  life.onEnd(() => clearInterval(shown));
  mode.addEventListener("change", () => { rateField.hidden = mode.value !== "scaled"; });

  const change = async (asking, told) => {
    try {
      const clock = await asking;
      problem.replaceChildren();
      show(clock);
      announce(`${told}: ${clock.now}`);
    } catch (error) {
      problem.replaceChildren(failure(error));
    }
  };
  const advance = (by) => change(life.post("clock/advance", { by }), "The clock was advanced");
  const form = (field, label, action) => h("form", { class: "inline", onsubmit: (event) => {
    event.preventDefault();
    action();
  } }, field, h("button", {}, label));

  follow(life, h("div", {}), ["clock", "reset"], (asking) => asking.get("clock"), (clock) => { show(clock); return null; });
  follow(life, pending, ["request", "administration", "reset", "clock"],
    (asking) => Promise.all([asking.get("pending"), asking.get("options")]), (answers) => showPending(life, ...answers));

  return {
    title: () => "Clock",
    content: [
      h("div", { class: "head" }, h("h1", {}, "Clock and pending work")),
      h("div", { class: "panels" },
        section("Now", { panel: true, about: "This clock sets the times in records, delays, and the expiry of tokens and addresses." }, now,
          h("div", { class: "actions" }, steps.map(([text, by]) => button(`+ ${text}`, () => advance(by)))),
          form(labelled("Advance by", step, "Such as 90s, 1h30m, 31d; a minus sign moves it backwards."), "Advance", () => advance(step.value.trim())),
          problem),
        section("Mode", { panel: true },
          form([labelled("It advances", mode), rateField], "Set", () => change(
            life.put("clock", { mode: mode.value, ...(mode.value === "scaled" ? { rate: Number(rate.value) } : {}) }), "The clock was changed")),
          form(labelled("Set it to", moment, "It continues from there, unless it is frozen."), "Set",
            () => change(life.put("clock", { now: moment.value.trim() }), "The clock was set")))),
      section("Pending work", { about: "Work that the service does some time after a request. Each kind is an event, too." }, pending),
    ],
  };
}

function runButton(label, event, count, onclick) {
  return h("button", { type: "button", disabled: !count, onclick }, label, h("span", { class: "unseen" }, ` of ${words(event)}`));
}

function showPending(life, { pending }, options) {
  const problem = h("div", {});
  const run = async (event, count) => {
    try {
      const { message } = await life.post("simulate", { event, ...(count ? { count } : {}) });
      announce(`${words(event)}: ${message}`);
    } catch (error) {
      problem.replaceChildren(failure(error));
    }
  };
  const isManual = options.async === "manual";
  return [
    h("div", { class: "note" },
      h("p", {}, badge(isManual ? "manual" : "automatic", isManual ? "note" : "fine"),
        isManual ? " It is done only when you run it here." : " The service does it by itself; run it here to have it done sooner."),
      button(isManual ? "Run automatically" : "Run manually", async () => {
        const set = await life.put("options", { async: isManual ? "auto" : "manual" });
        announce(set.async === "manual" ? "Pending work now waits" : "Pending work now runs automatically");
      })),
    problem,
    table("Pending work", [
      ["Event", ({ event }) => h("span", {}, words(event))],
      ["Meaning", ({ about }) => h("span", { class: "quiet" }, sentence(about))],
      ["Pending", ({ count }) => number(count), "number"],
      ["Run", ({ event, count }) => h("div", { class: "actions" },
        runButton("One", event, count, () => run(event, 1)), runButton("All", event, count, () => run(event)))],
    ], pending),
  ];
}
