// Accounts, and the databases of one.
import { link } from "./api.js";
import { badge, bytes, empty, facts, h, number, section, table } from "./dom.js";
import { database } from "./database.js";
import { find, findForm } from "./find.js";
import { databaseNames, page } from "./places.js";
import { Zone } from "./zone.js";

export function open(parameters, life) {
  if (parameters.find !== undefined) return find(parameters, life);
  if (parameters.zone !== undefined) return new Zone(parameters, life);
  if (parameters.container !== undefined) return database(parameters, life);
  if (parameters.user !== undefined) return account(parameters, life);
  return accounts(life);
}

function total(rows, key) { return rows.reduce((sum, row) => sum + row[key], 0); }

function of(user, databases) { return databases.filter((database) => database.user === user.name); }

// Accounts

function accounts(life) {
  return page(life, "Accounts", null, [], {
    get: (asking) => Promise.all([asking.get("users"), asking.get("summary")]),
    show: ([{ users }, { databases }]) => {
      const open = databases.filter((database) => database.database === "public");
      return [
        users.length ? accountTable(users, databases)
          : empty("This server has no accounts yet. Load some with cloudkit-mock seed FILE, or add one with POST /_mock/v1/users."),
        section("Public databases", {},
          open.length ? databaseTable("Public databases", open) : empty("Nothing has been saved in a public database.")),
      ];
    },
  }, findForm());
}

function accountTable(users, databases) {
  return table("Accounts, and what each has in all containers", [
    ["Account", (user) => h("a", { href: link("data", { user: user.name }) }, user.name)],
    ["Name", (user) => [user.givenName, user.familyName].filter(Boolean).join(" ") || h("span", { class: "quiet" }, "no name")],
    ["Containers", (user) => number(new Set(of(user, databases).map((database) => database.container)).size), "number"],
    ["Zones", (user) => number(total(of(user, databases), "zones")), "number"],
    ["Records", (user) => number(total(of(user, databases), "records")), "number"],
    ["Assets", (user) => bytes(total(of(user, databases), "assetBytes")), "number"],
  ], users);
}

function databaseTable(caption, databases) {
  const isPublic = databases.every((database) => database.database === "public");
  return table(caption, [
    [isPublic ? "Container" : "Database", (database) => h("a", { href: link("data", {
      user: database.user, container: database.container, environment: database.environment, database: database.database,
    }) }, isPublic ? database.container : databaseNames[database.database])],
    ["Environment", (database) => [database.environment, database.restricted ? [" ", badge("restricted", "warn")] : null]],
    ["Zones", (database) => number(database.zones), "number"],
    ["Records", (database) => number(database.records), "number"],
    ["Assets", (database) => database.assets ? `${number(database.assets)} (${bytes(database.assetBytes)})` : "0", "number"],
    ["Subscriptions", (database) => number(database.subscriptions), "number"],
  ], databases);
}

// One account

function account({ user }, life) {
  return page(life, user, "Account", [["Accounts", {}]], {
    get: (asking) => Promise.all([asking.get("users"), asking.get("summary", { user }), asking.get("containers")]),
    show: ([{ users }, { databases }, { containers }]) => {
      const known = users.find((other) => other.name === user);
      if (!known) return empty(`There is no account “${user}”.`);
      const names = [...new Set([...databases.map((database) => database.container), ...containers])].sort();
      return [
        h("div", { class: "panel" }, facts([
          ["Name", [known.namePrefix, known.givenName, known.middleName, known.familyName, known.nameSuffix].filter(Boolean).join(" ")],
          ["Mail", known.emailAddresses?.join(", ")],
          ["Telephone", known.phoneNumbers?.join(", ")],
          ["Discoverable", known.discoverable === undefined ? null : known.discoverable ? "yes" : "no"],
        ])),
        names.map((container) => {
          const own = databases.filter((database) => database.container === container);
          return section(h("span", { class: "mono" }, container), {},
            own.length ? databaseTable(`Databases of ${user} in ${container}`, own) : empty(`No data of ${user} was saved here.`));
        }),
      ];
    },
  }, findForm(user));
}
