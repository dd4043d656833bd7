// The devices that get pushes, and what each got.
import { link } from "./api.js";
import { badge, choice, follow, h, labelled, table, time } from "./dom.js";

export function open(parameters, life) {
  const place = h("div", { class: "stack" });
  const user = choice([["", "Everybody"]]);
  const get = (asking) => Promise.all([
    asking.get("pushes", { user: parameters.user }), asking.get("positions", { user: parameters.user }), asking.get("users"),
  ]);
  follow(life, place, get, ([answer, { positions }, { users }]) => {
    if (user.options.length === 1) {
      user.append(...users.map(({ name }) => h("option", { value: name }, name)));
      user.value = parameters.user ?? "";
    }
    return [feeds(positions), show(answer)];
  }, 2000);
  user.addEventListener("change", () => { location.hash = link("devices", { user: user.value }); });
  return {
    title: () => "Devices",
    content: [
      h("div", { class: "head" }, h("h1", {}, "Devices and pushes"), labelled("Whose", user)),
      place,
    ],
  };
}

function short(token) { return token.length > 16 ? `${token.slice(0, 12)}…` : token; }

/** Where each device stands in the feeds that it follows. */
function feeds(positions) {
  return h("section", { class: "stack", "aria-labelledby": "feeds-title" },
    h("h2", { id: "feeds-title" }, "Where they stand in feeds"),
    positions.length ? table("Where devices stand in feeds", [
      ["Feed", (feed) => feed.zone ? h("a", { href: link("data", {
        user: feed.user, container: feed.container, environment: feed.environment, database: feed.database,
        zone: feed.zone, owner: feed.database === "shared" ? feed.owner : null,
      }) }, feed.zone) : `the ${feed.database} database`],
      ["User", (feed) => h("a", { href: link("data", { user: feed.user }) }, feed.user)],
      ["Device", (feed) => feed.device ?? "a browser"],
      ["Container", (feed) => h("span", { class: "mono" }, feed.container)],
      ["Told up to", (feed) => `place ${feed.place.toLocaleString("en")}`, "number"],
      ["Feed now", (feed) => feed.end === undefined ? badge("zone is gone", "warn")
        : feed.place >= feed.end ? badge("nothing new", "fine") : `goes up to ${feed.end.toLocaleString("en")}`],
      ["Last asked", (feed) => time(feed.time)],
    ], positions) : h("p", { class: "empty" }, "No device has asked changes/database or changes/zone."));
}

function show({ devices, pushes, lost }) {
  return [
    h("section", { class: "stack", "aria-labelledby": "devices-title" },
      h("h2", { id: "devices-title" }, "Registered for pushes"),
      devices.length ? table("Devices that get pushes", [
        ["Token", (device) => h("span", { class: "mono", title: device.token }, short(device.token))],
        ["User", (device) => h("a", { href: link("data", { user: device.user }) }, device.user)],
        ["Device", (device) => device.device ?? device.clientId ?? "–"],
        ["Container", (device) => h("span", { class: "mono" }, device.container)],
        ["Environment", (device) => device.environment],
        ["Waiting", (device) => device.polls ? badge(`${device.polls} waiting`, "fine") : "nobody waits"],
      ], devices) : h("p", { class: "empty" }, "No device has asked for pushes: tokens/create makes a token for one.")),
    h("section", { class: "stack", "aria-labelledby": "pushes-title" },
      h("h2", { id: "pushes-title" }, "Pushes"),
      lost ? h("p", {}, badge(`${lost} lost`, "warn"), " Older ones are no longer kept.") : null,
      pushes.length ? h("ol", { class: "plain pushes" }, pushes.toReversed().map((push) => h("li", { class: "card" },
        h("div", { class: "push-head" }, h("strong", {}, `Push ${push.number}`), time(push.time),
          badge(push.delivered ? "delivered" : "waits", push.delivered ? "fine" : "warn")),
        h("p", {}, subject(push), h("span", { class: "quiet" }, ` to ${short(push.token)}`)),
        h("details", {}, h("summary", {}, "Payload"), h("pre", { tabindex: "0" }, JSON.stringify(push.payload, null, 2))))))
        : h("p", { class: "empty" }, "No push has been made. They come of subscriptions, when somebody else writes.")),
  ];
}

function subject({ payload, changes }) {
  const about = payload.ck?.qry ?? payload.ck?.fet ?? payload.ck?.met ?? {};
  const what = payload.ck?.qry ? `record ${about.rid ?? ""}` : payload.ck?.fet ? `zone ${about.zid ?? ""}` : "database";
  return `${what} in ${payload.ck?.cid ?? "a container"}, by subscription ${about.sid ?? "unknown"}${changes > 1 ? `, ${changes} changes` : ""}`;
}
