// What belongs to something that is open, a view or a part of one: when it is closed, all of it ends.
import { ask } from "./api.js";

/** Waiting for it never ends, so nothing goes on from an answer that comes too late. */
const never = new Promise(() => {});

/**
 * Asks for what is open. Once it has ended, requests that only read are given up, no answer comes any
 * more, and nothing is asked again; what was to be changed is still carried out.
 */
export class Life {
  #control = new AbortController();
  #ends = new Set();

  constructor(whole = null) {
    if (!whole) return;
    const end = () => this.end();
    whole.#ends.add(end);
    this.#ends.add(() => whole.#ends.delete(end));
  }

  get isOpen() { return !this.#control.signal.aborted; }

  end() {
    this.#control.abort();
    for (const end of [...this.#ends]) end();
    this.#ends.clear();
  }

  /** Calls `action` at the end. */
  onEnd(action) {
    if (this.isOpen) this.#ends.add(action);
    else action();
  }

  /** What is waited for, unless the end comes first. */
  async wait(answer) {
    try {
      const value = await answer;
      return this.isOpen ? value : never;
    } catch (error) {
      if (this.isOpen) throw error;
      return never;
    }
  }

  get(path, given) { return this.#read((signal) => ask.get(path, given, signal)); }
  bytes(path, given, range = null) { return this.#read((signal) => ask.bytes(path, given, signal, range)); }
  post(path, body, given) { return this.wait(ask.post(path, body, given)); }
  put(path, body) { return this.wait(ask.put(path, body)); }
  remove(path, given) { return this.wait(ask.remove(path, given)); }

  #read(send) { return this.isOpen ? this.wait(send(this.#control.signal)) : never; }

  /** Does something after a while, while the page can be seen, and a while after that again. */
  every(milliseconds, action) {
    const later = () => {
      if (!this.isOpen) return;
      timer = setTimeout(async () => {
        if (!document.hidden) await action();
        later();
      }, milliseconds);
    };
    let timer = 0;
    this.onEnd(() => clearTimeout(timer));
    later();
  }

  /** An action that is called once there have been no further calls for a while. */
  soon(milliseconds, action) {
    let timer = 0;
    this.onEnd(() => clearTimeout(timer));
    return () => {
      clearTimeout(timer);
      if (this.isOpen) timer = setTimeout(action, milliseconds);
    };
  }
}
