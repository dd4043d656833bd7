// How far each device was told of the feeds, what a token says, and who gets pushes.
import { link } from "./api.js";
import { badge, choice, empty, facts, failure, h, labelled, number, section, table, time } from "./dom.js";
import { follow } from "./feed.js";

export function open(parameters, life) {
  const place = h("div", { class: "stack" });
  const user = choice([["", "All users"]]);
  const get = (asking) => Promise.all([
    asking.get("pushes", { user: parameters.user }), asking.get("positions", { user: parameters.user }), asking.get("users"),
  ]);
  const kinds = ["request", "change", "reset", "administration"];
  follow(life, place, kinds, get, ([answer, { positions }, { users }]) => {
    if (user.options.length === 1) {
      user.append(...users.map(({ name }) => h("option", { value: name }, name)));
      user.value = parameters.user ?? "";
    }
    return [feeds(positions), pushes(answer)];
  });
  user.addEventListener("change", () => { location.hash = link("devices", { user: user.value }); });
  return {
    title: () => "Devices",
    content: [
      h("div", { class: "head" }, h("h1", {}, "Devices and feeds"), labelled("User", user)),
      place, tokenReader(life),
    ],
  };
}

function short(token) { return token.length > 16 ? `${token.slice(0, 12)}…` : token; }

const reasons = {
  recreated: "the zone was created again", forgotten: "later changes were compacted", undone: "a restore rolled back what it has seen",
};

/** What a token would be answered. */
function standing({ standing, why, place, end }) {
  if (standing === "gone") return badge("zone was deleted", "warn");
  if (standing === "expired") return [badge("expired", "bad"), ` ${reasons[why] ?? why ?? ""}`];
  if (standing === "unknown") return [badge("unknown", "warn"), " no feed of the store is its own"];
  return place >= end ? badge("nothing new", "fine") : [badge(`${number(end - place)} behind`, "note"), ` feed goes up to ${number(end)}`];
}

function feedLink(feed) {
  if (!feed.zone) return `the ${feed.database} database`;
  return h("a", { href: link("data", {
    user: feed.user, container: feed.container, environment: feed.environment, database: feed.database,
    zone: feed.zone, owner: feed.database === "shared" ? feed.owner : null,
  }) }, feed.zone);
}

/** Where each device stands in the feeds that it follows. */
function feeds(positions) {
  return section("Positions in feeds", {}, positions.length ? table("Positions of devices in feeds", [
    ["Feed", feedLink],
    ["User", (feed) => h("a", { href: link("data", { user: feed.user }) }, feed.user)],
    ["Device", (feed) => feed.device ?? "a browser"],
    ["Container", (feed) => h("span", { class: "mono" }, feed.container)],
    ["Read up to", (feed) => `place ${number(feed.place)}`, "number"],
    ["Next", standing],
    ["Last request", (feed) => time(feed.time)],
  ], positions) : empty("No device has requested changes/database or changes/zone."));
}

/** A form that says what a change token stands for. */
function tokenReader(life) {
  const token = h("textarea", { rows: 2, required: true, spellcheck: "false", class: "mono" });
  const result = h("div", {});
  const read = async (event) => {
    event.preventDefault();
    try {
      result.replaceChildren(tokenFacts(await life.get("position", { token: token.value.replace(/\s+/g, "") })));
      result.tabIndex = -1;
      result.focus({ preventScroll: true });
    } catch (error) {
      result.replaceChildren(failure(error));
    }
  };
  return section("Decode a change token", { panel: true, about: "The syncToken of changes/database or changes/zone contains a feed and a position." },
    h("form", { class: "stack", onsubmit: read }, labelled("Token", token), h("div", { class: "actions" }, h("button", {}, "Decode"))), result);
}

function tokenFacts(read) {
  return facts([
    ["Feed", read.container ? [feedLink(read), read.user ? ` of ${read.user}` : ""] : `of a ${read.kind}`],
    ["Database", read.container && h("span", {}, `${read.database}, ${read.environment}, `, h("span", { class: "mono" }, read.container))],
    ["Read up to", `place ${number(read.place)}${read.newestFirst ? ", the newest first" : ""}`],
    ["Next", standing(read)],
    ["Newest it has seen", read.time === undefined ? null : time(read.time)],
    ["Zone instance", read.incarnation === undefined ? null : `ID ${read.incarnation}`],
    ["Store epoch", `epoch ${number(read.epoch)}, now ${number(read.epochNow)}`],
    ["Issued by a fault", read.madeByFault ? "yes: the page that it comes from was repeated or empty" : null],
  ]);
}

function pushes({ devices, pushes, lost }) {
  return [
    section("Registered for pushes", {}, devices.length ? table("Devices that get pushes", [
      ["Token", (device) => h("span", { class: "mono", title: device.token }, short(device.token))],
      ["User", (device) => h("a", { href: link("data", { user: device.user }) }, device.user)],
      ["Device", (device) => device.device ?? device.clientId ?? "–"],
      ["Container", (device) => h("span", { class: "mono" }, device.container)],
      ["Environment", (device) => device.environment],
      ["Waiting", (device) => device.polls ? badge(`${device.polls} waiting`, "fine") : "no client waits"],
    ], devices) : empty("No device is registered for pushes: tokens/create registers one.")),
    section("Pushes", {},
      lost ? h("p", {}, badge(`${lost} lost`, "warn"), " Older ones were discarded.") : null,
      pushes.length ? h("ol", { class: "plain pushes" }, pushes.toReversed().map(pushCard))
        : empty("There are no pushes yet. Subscriptions cause them when another client writes.")),
  ];
}

function pushCard(push) {
  return h("li", { class: "card" },
    h("div", { class: "push-head" }, h("strong", {}, `Push ${push.number}`), time(push.time),
      badge(push.delivered ? "delivered" : "waits", push.delivered ? "fine" : "warn")),
    h("p", {}, subject(push), h("span", { class: "quiet" }, ` to ${short(push.token)}`)),
    h("details", {}, h("summary", {}, "Payload"), h("pre", { tabindex: "0" }, JSON.stringify(push.payload, null, 2))));
}

function subject({ payload, changes }) {
  const about = payload.ck?.qry ?? payload.ck?.fet ?? payload.ck?.met ?? {};
  const what = payload.ck?.qry ? `record ${about.rid ?? ""}` : payload.ck?.fet ? `zone ${about.zid ?? ""}` : "database";
  return `${what} in ${payload.ck?.cid ?? "a container"}, by subscription ${about.sid ?? "unknown"}${changes > 1 ? `, ${changes} changes` : ""}`;
}
