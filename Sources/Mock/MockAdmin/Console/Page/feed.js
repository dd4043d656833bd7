// What happens on the server, as it tells it by itself: one stream of events for the whole page.
import { ask } from "./api.js";
import { fill, renew } from "./dom.js";
import { Life } from "./life.js";

const kinds = ["request", "change", "fault", "clock", "reset", "administration"];
/** Events may be missing before these, so that everybody has to look again. */
const breaks = ["hello", "gap"];
const againMilliseconds = 10_000;
const resumeMilliseconds = 1000;
const pollMilliseconds = 2000;
const pauseMilliseconds = 200;

const listeners = new Set();
let isLive = false;

/**
 * Follows the stream, and goes on after the last event where it ends; where the server refuses, as when it
 * takes no more listeners, asks again later. An EventSource could not send the token.
 */
export async function listen() {
  let last = null;
  for (;;) {
    let pause = againMilliseconds;
    try {
      const stream = await ask.stream("feed", { kinds: kinds.join(",") }, last ? { "last-event-id": last } : {});
      pause = resumeMilliseconds;
      for await (const event of events(stream)) {
        last = event.id ?? last;
        if (!event.data || ![...breaks, ...kinds].includes(event.kind)) continue;
        isLive = true;
        const data = JSON.parse(event.data);
        for (const listener of [...listeners]) listener(event.kind, data);
      }
    } catch { /* The bar says that the server is not reached. */ }
    isLive = false;
    await new Promise((done) => { setTimeout(done, pause); });
  }
}

/** The events of a stream, each as the server writes it: an `id`, a kind and one line of data. */
async function* events(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (text + value).split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const lines = block.split("\n");
      const field = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      yield { id: field("id"), kind: field("event"), data: field("data") };
    }
  }
}

/** Calls `action` with each event of a kind while something is open. */
export function on(life, kind, action) {
  const listener = (other, data) => { if (other === kind) action(data); };
  listeners.add(listener);
  life.onEnd(() => listeners.delete(listener));
}

/**
 * Does something after events of these kinds: once at a time, five times a second at most, and while the
 * page can be seen. Without a stream it is done now and then.
 */
export function whenever(life, wanted, action) {
  let isDue = false;
  let isBusy = false;
  const run = async () => {
    if (isBusy) return;
    isBusy = true;
    while (isDue && life.isOpen && !document.hidden) {
      isDue = false;
      await action();
      await new Promise((done) => { setTimeout(done, pauseMilliseconds); });
    }
    isBusy = false;
  };
  const due = () => {
    isDue = true;
    run();
  };
  const listener = (kind) => { if (wanted.includes(kind) || breaks.includes(kind)) due(); };
  listeners.add(listener);
  document.addEventListener("visibilitychange", run);
  life.onEnd(() => {
    listeners.delete(listener);
    document.removeEventListener("visibilitychange", run);
  });
  life.every(pollMilliseconds, () => { if (!isLive) due(); });
}

/** Whether somebody would be disturbed by other content: who types, has unfolded something or has a dialog. */
function isInUse(place) {
  const focused = document.activeElement;
  return Boolean(document.querySelector("dialog") || place.querySelector("details[open]"))
    || place.contains(focused) && focused.matches("input, textarea, select");
}

/**
 * Shows what `get` answers, and looks again after events of these kinds: what has changed is shown anew, unless
 * that would disturb somebody. Returns what looks at once.
 *
 * - wanted: kinds of events; with "time" among them, for what no event tells of, it looks every two seconds too
 * - life: of the view; `get` is called with one that ends when it is called again
 */
export function follow(life, place, wanted, get, show) {
  let own = null;
  const load = async () => {
    own?.end();
    const mine = own = new Life(life);
    let last = null;
    let isLate = false;
    const content = (answer) => {
      last = JSON.stringify(answer);
      return show(answer);
    };
    const look = async () => {
      isLate = isInUse(place);
      if (isLate) return;
      try {
        const answer = await get(mine);
        if (JSON.stringify(answer) !== last) renew(place, content(answer));
      } catch { /* The bar says that the server is not reached. */ }
    };
    await fill(place, async () => content(await get(mine)));
    whenever(mine, wanted, look);
    mine.every(pollMilliseconds, () => { if (isLate || wanted.includes("time")) return look(); });
  };
  load();
  return load;
}
