// One database: its zones, those that were deleted, and its shares.
import { link } from "./api.js";
import { facts, h, number, table } from "./dom.js";
import { participantTable } from "./people.js";
import { databaseNames, databaseOf, everything, page, parts } from "./places.js";

export function database(parameters, life) {
  const where = databaseOf(parameters);
  const kind = databaseNames[where.database ?? "private"] ?? where.database;
  return page(life, kind, [where.user, where.container, where.environment ?? "development"].filter(Boolean).join(" · "),
    parts(parameters, false), async (asking) => {
      const [zones, shares] = await Promise.all([
        everything(asking, "zones", where, "zones", 10),
        where.user && (where.database ?? "private") === "private" ? everything(asking, "shares", where, "shares", 20) : { rows: [] },
      ]);
      const live = zones.rows.filter((zone) => zone.live).sort((one, other) => one.zone < other.zone ? -1 : 1);
      const gone = zones.rows.filter((zone) => !zone.live);
      const name = (zone) => h("a", { href: link("data", { ...where, zone: zone.zone, owner: zone.owner }) }, zone.zone);
      return [
        h("section", { class: "stack", "aria-labelledby": "zones-title" },
          h("h2", { id: "zones-title" }, "Zones"),
          live.length ? table("Zones", [
            ["Zone", name],
            ...(where.database === "shared" ? [["Owner", (zone) => h("span", { class: "mono" }, zone.owner ?? "")]] : []),
            ["Records", (zone) => number(zone.records), "number"],
            ["Deleted", (zone) => zone.tombstones === undefined ? "–" : number(zone.tombstones), "number"],
            ...(where.database === "shared" ? [] : [["Shares", (zone) => number(zone.shares), "number"]]),
            ["End of its feed", (zone) => `place ${number(zone.end)}`, "number"],
          ], live) : h("p", { class: "empty" }, "No zone has anything in it."),
          zones.more && h("p", { class: "quiet" }, `There are more zones than the ${number(zones.rows.length)} shown here; GET /_mock/v1/zones lists all.`)),
        gone.length ? h("section", { class: "stack", "aria-labelledby": "gone-title" },
          h("h2", { id: "gone-title" }, "Deleted zones"),
          h("p", { class: "quiet" }, "What changes/database still tells of them."),
          table("Deleted zones", [
            ["Zone", (zone) => h("span", {}, zone.zone)],
            ["Why", (zone) => reasons[zone.deletion] ?? zone.deletion],
            ["Deleted at", (zone) => `place ${number(zone.place)} of the database`, "number"],
          ], gone)) : null,
        shares.rows.length ? h("section", { class: "stack", "aria-labelledby": "shares-title" },
          h("h2", { id: "shares-title" }, "Shares"),
          shares.rows.map((share) => sharePart(share, where))) : null,
      ];
    });
}

const reasons = { deleted: "an app deleted it", purged: "the person erased it in the settings", encryptedDataReset: "the keys of encrypted data were lost" };
const permissions = { NONE: "nobody else", READ_ONLY: "everybody may read", READ_WRITE: "everybody may write" };

function sharePart(share, where) {
  const record = (name) => h("a", { href: link("data", { ...where, zone: share.zone, record: name }) }, name);
  return h("article", { class: "card stack" },
    h("h3", {}, share.root === undefined ? ["All of zone ", share.zone] : ["What is below ", share.root, " in ", share.zone]),
    facts([
      ["Share record", record(share.recordName)],
      ["Root", share.root === undefined ? null : record(share.root)],
      ["Besides the invited", permissions[share.publicPermission] ?? share.publicPermission],
    ]),
    participantTable(share.participants, `Participants of ${share.recordName}`));
}
