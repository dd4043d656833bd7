// The records of a zone, and the one that is open.
import { link } from "./api.js";
import { announce, badge, button, choice, failure, h, labelled, line, plural, time } from "./dom.js";
import { newRecord } from "./edit.js";
import { on } from "./feed.js";
import { Life } from "./life.js";
import { LongList } from "./list.js";
import { crumbs, parts, zoneOf } from "./places.js";
import { showRecord } from "./record.js";

const pageRecords = 500;

/** The records of a zone, and beside them the one that is open. */
export class Zone {
  #record = null;
  #showing = null;
  #renew = null;

  constructor(parameters, life) {
    this.life = life;
    this.parameters = parameters;
    this.where = zoneOf(parameters);
    this.count = h("p", { class: "quiet", id: "records-count" }, "Loading…");
    this.news = h("p", { class: "news", hidden: true }, "The zone has changed since. ", button("Show it", () => this.#reload()));
    this.search = line({ type: "search", value: parameters.name ?? "" });
    this.type = line({ value: parameters.type ?? "" });
    this.deleted = choice([["no", "Live"], ["also", "Live and deleted"], ["only", "Deleted"]], parameters.deleted ?? "no");
    this.list = new LongList({
      life, label: `Records of zone ${parameters.zone}`,
      key: (record) => record.recordName,
      row: (record) => row(record),
      open: (record) => { location.hash = this.#address(record.recordName); },
      page: (after, asking) => this.#page(after, asking),
      told: (problem) => this.#tell(problem),
    });
    this.list.element.setAttribute("aria-describedby", "records-count");
    this.trouble = h("div", {});
    this.detail = h("section", { class: "detail", "aria-label": "Record" });
    this.split = h("div", { class: "split" },
      h("section", { class: "side", "aria-label": "Records" },
        h("form", { class: "filters", role: "search", onsubmit: (event) => { event.preventDefault(); this.#reload(); } },
          labelled("Record name", this.search), labelled("Type", this.type), labelled("Show", this.deleted)),
        this.count, this.news, this.trouble, this.list.element),
      this.detail);
    const soon = life.soon(250, () => this.#reload());
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
        h("div", { class: "actions" },
          parameters.owner ? null : button("New record…", () => newRecord(this.where, life, (name) => {
            if (name) location.hash = this.#address(name);
          })),
          button("Load again", () => this.#reload()))),
      this.split,
    ];
    on(life, "change", (change) => this.#notice(change));
    on(life, "reset", () => this.#notice({ ...this.where, record: this.#record }));
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
    history.replaceState(null, "", this.#address(this.parameters.record));
    this.news.hidden = true;
    await this.list.restart();
    announce(this.count.textContent);
  }

  async #page(after, life) {
    const { records, ...rest } = await life.get("records", { ...this.where, ...this.#filter(), after, limit: pageRecords });
    return { items: records, ...rest };
  }

  #tell(problem) {
    this.trouble.replaceChildren(...(problem ? [failure(problem, () => this.#reload())] : []));
    const count = this.list.items.length;
    this.count.textContent = problem ? ""
      : this.list.hasMore ? `${plural(count, "record")} so far; more come as you scroll`
        : count ? plural(count, "record") : this.#isFiltered() ? "No record matches." : "The zone has no records.";
    if (this.#record && !this.list.element.contains(document.activeElement)) this.list.select(this.#record);
  }

  /** Something has changed on the server: what is open is shown anew, the list says so. */
  #notice(change) {
    const isHere = change.container === this.where.container && change.zone === this.where.zone
      && change.environment === (this.where.environment ?? "development")
      && (this.where.database === "shared" || change.database === (this.where.database ?? "private") && change.user === this.where.user);
    if (!isHere) return;
    this.news.hidden = false;
    if (change.record === this.#record || change.record === undefined) this.#renew?.();
  }

  #isFiltered() { return this.search.value.trim() || this.type.value.trim() || this.deleted.value !== "no"; }

  #show(record, isMove) {
    this.#record = record;
    this.split.classList.toggle("with-detail", record !== null);
    this.list.select(record);
    this.#showing?.end();
    this.#renew = null;
    if (record === null) {
      this.detail.replaceChildren(h("p", { class: "empty" }, "Choose a record to see its fields."));
      if (isMove) this.list.focus();
      return;
    }
    this.#showing = new Life(this.life);
    const shown = showRecord(this.where, record, this.#address(null), this.#showing);
    this.#renew = shown.renew;
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
