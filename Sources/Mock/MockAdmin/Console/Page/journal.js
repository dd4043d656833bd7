// The requests as they come, why they failed, and how to make one fail again.
import { link } from "./api.js";
import { dialog } from "./dialog.js";
import { announce, choice, failure, fill, h, labelled, plural } from "./dom.js";
import { whenever } from "./feed.js";
import { Life } from "./life.js";
import { LongList } from "./list.js";
import { hasFailed, requestParts, requestRow } from "./request.js";

const entriesMax = 2000;
const pageEntries = 500;
const filterNames = ["operation", "user", "container", "zone", "scope", "status", "fault"];

export function open(parameters, life) { return new Journal(parameters, life); }

class Journal {
  #last = 0;
  #asking = null;
  #showing = null;
  #paused = false;
  #counts = "";
  #entry = null;
  #hasOlder = false;

  constructor(parameters, life) {
    this.life = life;
    this.#entry = parameters.entry ? Number(parameters.entry) : null;
    const text = (name, hint) => h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: hint, value: parameters[name] ?? "" });
    this.inputs = {
      operation: text("operation", "records/*"), user: text("user", "ann"), container: text("container", "iCloud.*"),
      zone: text("zone", "Notes*"), status: h("input", { type: "text", inputmode: "numeric", autocomplete: "off", placeholder: "200", value: parameters.status ?? "" }),
      fault: text("fault", "fault-1"),
      scope: choice([["", "all"], ["private", "private"], ["shared", "shared"], ["public", "public"]], parameters.scope ?? ""),
    };
    this.failures = h("input", { type: "checkbox", id: "only-failures" });
    this.failures.checked = parameters.failures === "1";
    this.pause = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.#toggle() }, "Pause");
    this.count = h("p", { class: "quiet", id: "journal-count" }, "Loading…");
    this.trouble = h("div", {});
    this.list = new LongList({
      life, label: "Requests, the newest first", key: (entry) => entry.number, row: requestRow,
      open: (entry) => { location.hash = this.#address(entry.number); },
    });
    this.list.element.setAttribute("aria-describedby", "journal-count");
    this.detail = h("section", { class: "detail", "aria-label": "Request" });
    this.split = h("div", { class: "split" },
      h("section", { class: "side", "aria-label": "Requests" },
        h("details", { class: "filter-fold", open: filterNames.some((name) => parameters[name]) },
          h("summary", {}, "Filters"),
          h("form", { class: "filters", role: "search", onsubmit: (event) => { event.preventDefault(); this.#reload(); } },
            labelled("Operation", this.inputs.operation), labelled("User", this.inputs.user),
            labelled("Container", this.inputs.container), labelled("Database", this.inputs.scope),
            labelled("Zone", this.inputs.zone), labelled("Status", this.inputs.status),
            labelled("Fault", this.inputs.fault))),
        h("div", { class: "check" }, this.failures, h("label", { for: "only-failures" }, "Only what failed")),
        this.count, this.trouble, this.list.element),
      this.detail);
    const soon = life.soon(300, () => this.#reload());
    for (const input of Object.values(this.inputs)) input.addEventListener("input", soon);
    this.failures.addEventListener("change", () => this.#reload());
    this.detail.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented) location.hash = this.#address(null);
    });
    this.content = [
      h("div", { class: "head" }, h("h1", {}, "Requests"),
        h("div", { class: "actions" }, this.pause,
          h("button", { type: "button", onclick: () => this.#clear() }, "Discard all"))),
      this.split,
    ];
    this.#reload();
    this.#show(this.#entry, false);
  }

  title() { return this.#entry === null ? "Requests" : `Request ${this.#entry}`; }

  update(parameters) {
    const same = [...filterNames, "failures"].every((name) => (parameters[name] ?? "") === (this.#parameters()[name] ?? ""));
    if (!same) return false;
    this.#show(parameters.entry ? Number(parameters.entry) : null, true);
    return true;
  }

  #filter() { return Object.fromEntries(filterNames.map((name) => [name, this.inputs[name].value.trim()])); }

  #parameters() { return { ...this.#filter(), failures: this.failures.checked ? "1" : "" }; }

  #address(entry) { return link("requests", { ...this.#parameters(), entry }); }

  #toggle() {
    this.#paused = !this.#paused;
    this.pause.setAttribute("aria-pressed", String(this.#paused));
    this.pause.textContent = this.#paused ? "Continue" : "Pause";
    announce(this.#paused ? "Paused: new requests are not shown" : "New requests are shown");
    if (!this.#paused) this.#look(this.#asking);
  }

  #clear() {
    dialog({
      title: "Discard all requests?", danger: true, action: "Discard all",
      about: "The journal is emptied for all users. Data, faults and clock are unchanged.",
      send: async () => {
        await this.life.remove("journal");
        announce("The journal is empty");
        this.#reload();
      },
    });
  }

  async #reload() {
    this.#asking?.end();
    const life = this.#asking = new Life(this.life);
    this.#last = 0;
    this.list.set([]);
    history.replaceState(null, "", this.#address(this.#entry));
    if (await this.#look(life, true)) whenever(life, ["request", "administration"], () => this.#paused || this.#look(life));
  }

  /** Asks for what is new, and says whether it makes sense to ask again. */
  async #look(life, isFirst = false) {
    try {
      await this.#ask(life, isFirst);
      this.trouble.replaceChildren();
      return true;
    } catch (error) {
      if (this.trouble.textContent === "") this.trouble.replaceChildren(failure(error));
      return error.status !== 400;
    }
  }

  async #ask(life, isFirst) {
    const query = isFirst ? { last: entriesMax } : { after: this.#last, limit: pageEntries };
    const answer = await life.get("journal", { ...this.#filter(), ...query });
    // Another server listens at the port now.
    if (answer.total < this.#last) { this.#reload(); return; }
    const entries = answer.entries.filter((entry) => entry.number > this.#last);
    if (entries.length) this.#last = entries.at(-1).number;
    const shown = entries.filter((entry) => !this.failures.checked || hasFailed(entry)).reverse();
    if (isFirst) {
      this.#hasOlder = answer.matching > entries.length;
      this.list.set(shown);
      if (this.#entry !== null) this.#show(this.#entry, false);
    } else {
      this.list.prepend(shown, entriesMax);
    }
    const text = this.list.items.length
      ? `${plural(this.list.items.length, "request")}${this.#hasOlder ? "; older ones are not shown" : ""}`
      : answer.kept ? "No request matches." : "There are no requests yet.";
    if (text !== this.#counts) this.count.textContent = this.#counts = text;
    if (answer.entries.length === pageEntries && !isFirst) await this.#ask(life, false);
  }

  #show(number, isMove) {
    this.#entry = number;
    this.#showing?.end();
    const life = this.#showing = new Life(this.life);
    this.split.classList.toggle("with-detail", number !== null);
    this.list.select(number);
    if (number === null) {
      this.detail.replaceChildren(h("p", { class: "empty" }, "Choose a request to see its result."));
      if (isMove) this.list.focus();
      return;
    }
    const entry = this.list.items.find((item) => item.number === number);
    const heading = h("h2", { tabindex: "-1", class: "record-name" }, entry ? entry.operation : `Request ${number}`);
    const place = h("div", { class: "stack" });
    this.detail.replaceChildren(h("div", { class: "stack" },
      h("div", { class: "detail-head" }, heading,
        h("a", { class: "back", href: this.#address(null) }, "Close", h("span", { class: "unseen" }, " the request"))), place));
    if (entry) place.append(...requestParts(entry, life).filter(Boolean));
    else {
      fill(place, async () => {
        const { entries } = await life.get("journal", { after: number - 1, limit: 1 });
        if (entries[0]?.number !== number) return h("p", { class: "empty" }, "The journal no longer has this request.");
        heading.textContent = entries[0].operation;
        return requestParts(entries[0], life);
      });
    }
    if (isMove) heading.focus();
  }
}
