// A long list of which only what can be seen is in the page.
import { h } from "./dom.js";
import { Life } from "./life.js";

const rowHeight = 56;
const margin = 8;

/**
 * A list box: arrows, Page Up, Page Down, Home and End move, Enter or a click opens.
 *
 * - life: of the view that it is in
 * - label: what it lists
 * - row: makes the content of an item's row
 * - key: an item's own text, by which it is found again
 * - open: is called with an item
 * - page: asks for the items after a place (null: for the first), and answers `{ items, after, more }`;
 *   null where items are given by `set` and `prepend`
 * - told: is called after each page, with what went wrong or null
 */
export class LongList {
  #items = [];
  #active = -1;
  #selected = null;
  #rows = new Map();
  #asking = null;
  #after = null;
  #frame = 0;
  hasMore = false;

  constructor({ life, label, row, key, open, page = null, told = () => {} }) {
    Object.assign(this, { life, row, key, open, page, told });
    this.space = h("div", { class: "list-space", role: "presentation" });
    this.element = h("div", {
      class: "list", role: "listbox", tabindex: "0", "aria-label": label,
      onscroll: () => this.#later(), onkeydown: (event) => this.#key(event),
      onfocus: () => { if (this.#active < 0 && this.#items.length) this.#moveTo(0); },
    }, this.space);
    this.space.addEventListener("click", (event) => {
      const row = event.target.closest("[role=option]");
      if (!row) return;
      this.#moveTo(Number(row.dataset.index), false);
      this.#openActive();
    });
    const watcher = new ResizeObserver(() => this.#later());
    watcher.observe(this.element);
    life.onEnd(() => {
      watcher.disconnect();
      cancelAnimationFrame(this.#frame);
    });
  }

  get items() { return this.#items; }

  /** Shows other items from the start. */
  set(items, hasMore = false) {
    this.#items = items;
    this.hasMore = hasMore;
    this.#active = -1;
    this.#clear();
    this.element.scrollTop = 0;
    this.draw();
  }

  /** Asks for the items anew, and gives up what was asked for before. */
  async restart() {
    this.#asking?.end();
    this.#asking = null;
    this.#after = null;
    this.set([]);
    await this.#ask();
  }

  /** The next page, unless one is asked for; a page may be empty and not the last. */
  async #ask() {
    if (this.#asking) return;
    const life = this.#asking = new Life(this.life);
    let problem = null;
    try {
      const { items, after, more } = await this.page(this.#after, life);
      this.#after = after;
      this.#items.push(...items);
      this.hasMore = more;
    } catch (error) {
      problem = error;
      this.hasMore = false;
    }
    life.end();
    this.#asking = null;
    this.told(problem);
    this.draw();
  }

  /** Puts items before the first; who has scrolled keeps seeing what they see. */
  prepend(items, countMax) {
    if (!items.length) return;
    const top = this.element.scrollTop;
    this.#items = items.concat(this.#items).slice(0, countMax);
    if (this.#active >= 0) this.#active = Math.min(this.#active + items.length, this.#items.length - 1);
    this.#clear();
    this.space.style.height = `${this.#items.length * rowHeight}px`;
    if (top > 0 || this.element.contains(document.activeElement)) this.element.scrollTop = top + items.length * rowHeight;
    this.draw();
  }

  /** Marks the item that is open beside the list. */
  select(key) {
    this.#selected = key;
    if (key !== null) {
      const index = this.#items.findIndex((item) => this.key(item) === key);
      if (index >= 0 && this.#active !== index) this.#moveTo(index);
    }
    this.#clear();
    this.draw();
  }

  focus() { this.element.focus(); }

  #clear() {
    for (const row of this.#rows.values()) row.remove();
    this.#rows.clear();
  }

  #later() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.element.hidden = !this.#items.length && !this.hasMore;
    const height = this.element.clientHeight || rowHeight;
    const top = this.element.scrollTop;
    this.space.style.height = `${this.#items.length * rowHeight}px`;
    const first = Math.max(0, Math.floor(top / rowHeight) - margin);
    const last = Math.min(this.#items.length, Math.ceil((top + height) / rowHeight) + margin);
    const wanted = new Set();
    for (let index = first; index < last; index += 1) wanted.add(index);
    if (this.#active >= 0) wanted.add(this.#active);
    for (const [index, row] of this.#rows) {
      if (!wanted.has(index)) { row.remove(); this.#rows.delete(index); }
    }
    for (const index of wanted) {
      let row = this.#rows.get(index);
      if (!row) {
        row = this.#make(index);
        this.#rows.set(index, row);
        this.space.append(row);
      }
      row.classList.toggle("active", index === this.#active);
      row.setAttribute("aria-setsize", this.hasMore ? "-1" : String(this.#items.length));
    }
    if (this.#active >= 0) this.element.setAttribute("aria-activedescendant", this.#id(this.#active));
    else this.element.removeAttribute("aria-activedescendant");
    if (this.hasMore && last > this.#items.length - 60) this.#ask();
  }

  #id(index) { return `${this.element.id || "list"}-${index}`; }

  #make(index) {
    const item = this.#items[index];
    const row = h("div", {
      class: "row", role: "option", id: this.#id(index), "data-index": index,
      "aria-posinset": index + 1, "aria-selected": this.key(item) === this.#selected ? "true" : "false",
    }, this.row(item));
    row.style.transform = `translateY(${index * rowHeight}px)`;
    return row;
  }

  #moveTo(index, scroll = true) {
    if (!this.#items.length) return;
    this.#active = Math.max(0, Math.min(index, this.#items.length - 1));
    if (scroll) {
      const top = this.#active * rowHeight;
      const height = this.element.clientHeight;
      if (top < this.element.scrollTop) this.element.scrollTop = top;
      else if (top + rowHeight > this.element.scrollTop + height) this.element.scrollTop = top + rowHeight - height;
    }
    this.draw();
  }

  #openActive() {
    const item = this.#items[this.#active];
    if (item) this.open(item);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      const step = steps[event.key];
      this.#moveTo(step === -Infinity ? 0 : step === Infinity ? this.#items.length - 1 : this.#active + step);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#openActive();
    } else {
      return;
    }
    event.preventDefault();
  }
}
