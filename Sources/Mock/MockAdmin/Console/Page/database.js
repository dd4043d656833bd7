// One database: its zones, those that were deleted, and its shares.
import { link } from "./api.js";
import { empty, facts, h, number, section, table } from "./dom.js";
import { participantTable } from "./people.js";
import { databaseNames, databaseOf, everything, page, parts } from "./places.js";

const zonePagesMax = 10;
const sharePagesMax = 20;

export function database(parameters, life) {
  const where = databaseOf(parameters);
  const scope = where.database ?? "private";
  const hasShares = where.user && scope === "private";
  return page(life, databaseNames[scope] ?? scope,
    [where.user, where.container, where.environment ?? "development"].filter(Boolean).join(" · "),
    parts(parameters, false), {
      get: (asking) => Promise.all([
        everything(asking, "zones", where, "zones", zonePagesMax),
        hasShares ? everything(asking, "shares", where, "shares", sharePagesMax) : { rows: [] },
      ]),
      show: ([zones, shares]) => {
        const live = zones.rows.filter((zone) => zone.live).sort((one, other) => one.zone < other.zone ? -1 : 1);
        const gone = zones.rows.filter((zone) => !zone.live);
        return [
          section("Zones", {}, live.length ? zoneTable(live, where) : empty("All zones are empty."),
            zones.more && h("p", { class: "quiet" }, `There are more zones than the ${number(zones.rows.length)} shown here; GET /_mock/v1/zones lists all.`)),
          gone.length ? section("Deleted zones", { about: "What changes/database still lists." }, goneTable(gone)) : null,
          shares.rows.length ? section("Shares", {}, shares.rows.map((share) => sharePart(share, where))) : null,
        ];
      },
    });
}

function zoneTable(zones, where) {
  const isShared = where.database === "shared";
  return table("Zones", [
    ["Zone", (zone) => h("a", { href: link("data", { ...where, zone: zone.zone, owner: zone.owner }) }, zone.zone)],
    ...(isShared ? [["Owner", (zone) => h("span", { class: "mono" }, zone.owner ?? "")]] : []),
    ["Records", (zone) => number(zone.records), "number"],
    ["Deleted", (zone) => zone.tombstones === undefined ? "–" : number(zone.tombstones), "number"],
    ...(isShared ? [] : [["Shares", (zone) => number(zone.shares), "number"]]),
    ["End of its feed", (zone) => `place ${number(zone.end)}`, "number"],
  ], zones);
}

const reasons = { deleted: "an app deleted it", purged: "the user deleted it in the settings", encryptedDataReset: "the keys of encrypted data were lost" };

function goneTable(zones) {
  return table("Deleted zones", [
    ["Zone", (zone) => h("span", {}, zone.zone)],
    ["Why", (zone) => reasons[zone.deletion] ?? zone.deletion],
    ["Deleted at", (zone) => `place ${number(zone.place)} of the database`, "number"],
  ], zones);
}

const permissions = { NONE: "no one else", READ_ONLY: "everyone may read", READ_WRITE: "everyone may write" };

function sharePart(share, where) {
  const record = (name) => h("a", { href: link("data", { ...where, zone: share.zone, record: name }) }, name);
  return h("article", { class: "card stack" },
    h("h3", {}, share.root === undefined ? ["All of zone ", share.zone] : ["What is below ", share.root, " in ", share.zone]),
    facts([
      ["Share record", record(share.recordName)],
      ["Root", share.root === undefined ? null : record(share.root)],
      ["Others", permissions[share.publicPermission] ?? share.publicPermission],
    ]),
    participantTable(share.participants, `Participants of ${share.recordName}`));
}
