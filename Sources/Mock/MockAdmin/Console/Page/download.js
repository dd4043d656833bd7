// Links to files that only a request with the token gets.
import { ask, base } from "./api.js";
import { announce, h } from "./dom.js";

/** A link that saves what the administration answers at a path. */
export function download(path, name, text, kind = null) {
  return h("a", { class: kind, href: `${base}/_mock/v1/${path}`, download: name, onclick: async (event) => {
    event.preventDefault();
    try {
      const url = URL.createObjectURL(await ask.blob(path));
      h("a", { href: url, download: name }).click();
      // The browser has taken it by then.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    } catch (error) {
      announce(`${name} could not be fetched: ${error.message}`);
    }
  } }, text);
}
