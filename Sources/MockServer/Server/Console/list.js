// A long list of which only what can be seen is in the page.
import { h } from "./dom.js";

const rowHeight = 56;
const margin = 8;

/**
 * A list box: arrows, Page Up, Page Down, Home and End move, Enter or a click opens.
 *
 * - label: what it lists
 * - row: makes the content of an item's row
 * - key: an item's own text, by which it is found again
 * - open: is called with an item
 * - more: asks for items to append, and says by its result whether others follow; null when there are none
 */
export class LongList {
  #items = [];
  #active = -1;
  #selected = null;
  #rows = new Map();
  #loading = false;
  #frame = 0;
  hasMore = false;

  constructor({ label, row, key, open, more = null }) {
    Object.assign(this, { row, key, open, more });
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
    this.watcher = new ResizeObserver(() => this.#later());
    this.watcher.observe(this.element);
  }

  get items() { return this.#items; }

  close() {
    this.watcher.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  /** Shows other items from the start. */
  set(items, hasMore = false) {
    this.#items = items;
    this.hasMore = hasMore;
    this.#active = -1;
    this.#clear();
    this.element.scrollTop = 0;
    this.draw();
  }

  append(items, hasMore) {
    this.#items.push(...items);
    this.hasMore = hasMore;
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
    if (this.hasMore && last > this.#items.length - 60) this.#load();
  }

  async #load() {
    if (this.#loading || !this.more) return;
    this.#loading = true;
    try {
      await this.more();
    } finally {
      this.#loading = false;
      this.#later();
    }
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
