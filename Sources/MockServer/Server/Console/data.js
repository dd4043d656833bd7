// Accounts, their databases, the zones of one and the records of a zone.
import { ask, link } from "./api.js";
import { announce, badge, bytes, choice, facts, failure, fill, h, labelled, plural, table, time } from "./dom.js";
import { LongList } from "./list.js";
import { showRecord } from "./record.js";

const pageRecords = 500;
const databaseNames = { private: "Private database", shared: "Shared database", public: "Public database" };

export function open(parameters) {
  if (parameters.zone !== undefined) return new Zone(parameters);
  if (parameters.container !== undefined) return database(parameters);
  if (parameters.user !== undefined) return account(parameters);
  return accounts();
}

/** Where a database is: what requests about it begin with. */
export function databaseOf({ user, container, environment, database }) {
  return { user, container, environment, database };
}

/** Where a zone is. */
export function zoneOf({ zone, owner, ...rest }) {
  return { ...databaseOf(rest), zone, owner };
}

function page(title, kicker, parts, load) {
  const place = h("div", { class: "stack" }, h("p", { class: "quiet" }, "Loading…"));
  const again = () => fill(place, load);
  again();
  return {
    title: () => title,
    content: [
      crumbs(parts),
      h("div", { class: "head" }, h("div", {}, kicker && h("p", { class: "kicker" }, kicker), h("h1", {}, title)),
        h("button", { type: "button", onclick: async () => { await again(); announce("Loaded again"); } }, "Load again")),
      place,
    ],
  };
}

function crumbs(parts) {
  if (!parts.length) return null;
  return h("nav", { "aria-label": "Where this is", class: "crumbs" }, h("ol", {}, parts.map(([text, parameters]) =>
    h("li", {}, h("a", { href: link("data", parameters) }, text)))));
}

function number(value) { return value.toLocaleString("en"); }

function total(rows, key) { return rows.reduce((sum, row) => sum + row[key], 0); }

// Accounts

function accounts() {
  return page("Accounts", null, [], async () => {
    const [{ users }, { databases }] = await Promise.all([ask.get("users"), ask.get("summary")]);
    const open = databases.filter((database) => database.database === "public");
    return [
      users.length
        ? table("Accounts, and what each has in all containers", [
          ["Account", (user) => h("a", { href: link("data", { user: user.name }) }, user.name)],
          ["Person", (user) => [user.givenName, user.familyName].filter(Boolean).join(" ") || h("span", { class: "quiet" }, "no name")],
          ["Containers", (user) => number(new Set(of(user, databases).map((database) => database.container)).size), "number"],
          ["Zones", (user) => number(total(of(user, databases), "zones")), "number"],
          ["Records", (user) => number(total(of(user, databases), "records")), "number"],
          ["Assets", (user) => bytes(total(of(user, databases), "assetBytes")), "number"],
        ], users)
        : h("p", { class: "empty" }, "This server has no accounts yet. Make one with cksweep mock user, or POST /_mock/v1/users."),
      h("section", { class: "stack", "aria-labelledby": "public-title" },
        h("h2", { id: "public-title" }, "Public databases"),
        open.length
          ? databaseTable("Public databases", open)
          : h("p", { class: "empty" }, "Nothing has been saved in a public database.")),
    ];
  });
}

function of(user, databases) { return databases.filter((database) => database.user === user.name); }

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

function account({ user }) {
  return page(user, "Account", [["Accounts", {}]], async () => {
    const [{ users }, { databases }, { containers }] = await Promise.all([
      ask.get("users"), ask.get("summary", { user }), ask.get("containers"),
    ]);
    const known = users.find((other) => other.name === user);
    if (!known) return h("p", { class: "empty" }, `There is no account “${user}”.`);
    const names = [...new Set([...databases.map((database) => database.container), ...containers])].sort();
    return [
      facts([
        ["Person", [known.namePrefix, known.givenName, known.middleName, known.familyName, known.nameSuffix].filter(Boolean).join(" ")],
        ["Mail", known.emailAddresses?.join(", ")],
        ["Telephone", known.phoneNumbers?.join(", ")],
        ["Can be found", known.discoverable === undefined ? null : known.discoverable ? "yes" : "no"],
      ]),
      names.map((container, index) => {
        const own = databases.filter((database) => database.container === container);
        return h("section", { class: "stack", "aria-labelledby": `container-${index}` },
          h("h2", { id: `container-${index}`, class: "mono" }, container),
          own.length ? databaseTable(`Databases of ${user} in ${container}`, own)
            : h("p", { class: "empty" }, `Nothing of ${user} has been saved here.`));
      }),
    ];
  });
}

// One database

function parts({ user, container, environment, database }, withDatabase = true) {
  return [
    ["Accounts", {}], ...(user ? [[user, { user }]] : []),
    ...(withDatabase ? [[`${container} · ${environment ?? "development"} · ${database ?? "private"}`,
      { user, container, environment, database }]] : []),
  ];
}

function database(parameters) {
  const where = databaseOf(parameters);
  const kind = databaseNames[where.database ?? "private"] ?? where.database;
  return page(kind, [where.user, where.container, where.environment ?? "development"].filter(Boolean).join(" · "),
    parts(parameters, false), async () => {
      const [zones, shares] = await Promise.all([
        everything("zones", where, "zones", 10),
        where.user && (where.database ?? "private") === "private" ? everything("shares", where, "shares", 20) : { rows: [] },
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

/** All pages of a list, but no more than `pagesMax`. */
async function everything(path, where, key, pagesMax) {
  const rows = [];
  let after = null;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const answer = await ask.get(path, { ...where, after });
    rows.push(...answer[key]);
    if (!answer.more) return { rows, more: false };
    after = answer.after;
  }
  return { rows, more: true };
}

// One zone

/** The records of a zone, and beside them the one that is open. */
class Zone {
  #turn = 0;
  #after = null;
  #record = null;

  constructor(parameters) {
    this.parameters = parameters;
    this.where = zoneOf(parameters);
    this.count = h("p", { class: "quiet", id: "records-count" }, "Loading…");
    this.search = h("input", { type: "search", autocomplete: "off", spellcheck: "false", value: parameters.name ?? "" });
    this.type = h("input", { type: "text", autocomplete: "off", spellcheck: "false", value: parameters.type ?? "" });
    this.deleted = choice([["no", "Live"], ["also", "Live and deleted"], ["only", "Deleted"]], parameters.deleted ?? "no");
    this.list = new LongList({
      label: `Records of zone ${parameters.zone}`,
      key: (record) => record.recordName,
      row: (record) => row(record),
      open: (record) => { location.hash = this.#address(record.recordName); },
      more: () => this.#more(),
    });
    this.list.element.setAttribute("aria-describedby", "records-count");
    this.trouble = h("div", {});
    this.detail = h("section", { class: "detail", "aria-label": "Record" });
    this.split = h("div", { class: "split" },
      h("section", { class: "side", "aria-label": "Records" },
        h("form", { class: "filters", role: "search", onsubmit: (event) => { event.preventDefault(); this.#reload(); } },
          labelled("Record name", this.search), labelled("Type", this.type), labelled("Show", this.deleted)),
        this.count, this.trouble, this.list.element),
      this.detail);
    let wait;
    const soon = () => { clearTimeout(wait); wait = setTimeout(() => this.#reload(), 250); };
    this.search.addEventListener("input", soon);
    this.type.addEventListener("input", soon);
    this.deleted.addEventListener("change", () => this.#reload());
    this.detail.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented) location.hash = this.#address(null);
    });
    this.content = [
      crumbs(parts(parameters)),
      h("div", { class: "head" },
        h("div", {}, h("p", { class: "kicker" }, parameters.owner ? `Zone of ${parameters.owner}` : "Zone"), h("h1", {}, parameters.zone)),
        h("button", { type: "button", onclick: () => this.#reload() }, "Load again")),
      this.split,
    ];
    this.#reload();
    this.#show(parameters.record ?? null, false);
  }

  title() { return this.parameters.record ? `${this.parameters.record}, ${this.parameters.zone}` : this.parameters.zone; }

  /** Shows another record of the same zone; says whether it is one. */
  update(parameters) {
    const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
    if (parameters.zone === undefined || !same(zoneOf(parameters), this.where)) return false;
    this.parameters = parameters;
    this.#show(parameters.record ?? null, true);
    return true;
  }

  close() {
    this.#turn += 1;
    this.list.close();
    this.detail.shown?.close();
  }

  #filter() {
    const name = this.search.value.trim();
    return {
      name: name && (/[*?]/.test(name) ? name : `*${name}*`), type: this.type.value.trim(),
      deleted: this.deleted.value === "no" ? "" : this.deleted.value,
    };
  }

  #address(record) {
    return link("data", { ...this.where, name: this.search.value.trim(), type: this.type.value.trim(),
      deleted: this.deleted.value === "no" ? "" : this.deleted.value, record });
  }

  async #reload() {
    this.#turn += 1;
    this.#after = null;
    this.list.set([], false);
    this.trouble.replaceChildren();
    history.replaceState(null, "", this.#address(this.parameters.record));
    if (await this.#more()) announce(this.count.textContent);
  }

  /** The next page; a page may be empty and not the last. */
  async #more() {
    const turn = this.#turn;
    try {
      const page = await ask.get("records", { ...this.where, ...this.#filter(), after: this.#after, limit: pageRecords });
      if (turn !== this.#turn) return false;
      this.#after = page.after;
      this.list.append(page.records, page.more);
      const shown = plural(this.list.items.length, "record");
      this.count.textContent = page.more ? `${shown} so far; more come as you scroll`
        : this.list.items.length ? shown : this.#isFiltered() ? "No record fits." : "The zone holds no records.";
      if (this.#record && !this.list.element.contains(document.activeElement)) this.list.select(this.#record);
      return true;
    } catch (error) {
      if (turn !== this.#turn) return false;
      this.list.hasMore = false;
      this.count.textContent = "";
      this.trouble.replaceChildren(failure(error, () => this.#reload()));
      return false;
    }
  }

  #isFiltered() { return this.search.value.trim() || this.type.value.trim() || this.deleted.value !== "no"; }

  async #show(record, isMove) {
    this.#record = record;
    this.split.classList.toggle("with-detail", record !== null);
    this.list.select(record);
    this.detail.shown?.close();
    this.detail.shown = null;
    if (record === null) {
      this.detail.replaceChildren(h("p", { class: "empty" }, "Choose a record to see its fields."));
      if (isMove) this.list.focus();
      return;
    }
    const shown = showRecord(this.where, record, this.#address(null));
    this.detail.shown = shown;
    this.detail.replaceChildren(shown.element);
    if (isMove) shown.heading.focus({ preventScroll: !matchMedia("(max-width: 899px)").matches });
  }
}

function row(record) {
  const moment = record.deleted ?? record.modified;
  return [
    h("span", { class: "row-main" }, h("span", { class: "row-name" }, record.recordName),
      h("span", { class: "row-type" }, record.recordType ?? "")),
    h("span", { class: "row-more" },
      record.live ? null : badge("deleted", "bad"), record.share ? badge("shared", "note") : null,
      moment ? [record.live ? "changed " : "", time(moment.timestamp)] : ""),
  ];
}
