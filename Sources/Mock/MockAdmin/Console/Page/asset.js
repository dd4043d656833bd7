// The file of a field: what it shows, and how it is fetched.
import { Life } from "./life.js";
import { bytes, h } from "./dom.js";

/** A picture is fetched as a whole up to this; of anything else only the beginning is. */
const pictureBytesMax = 8 << 20;
const beginBytes = 1024;

/** What kind of image some bytes are, by how they begin; null: none that is shown. */
function imageType(view) {
  const begins = (...bytes) => bytes.every((byte, index) => view[index] === byte);
  if (begins(0x89, 0x50, 0x4e, 0x47)) return "image/png";
  if (begins(0xff, 0xd8, 0xff)) return "image/jpeg";
  if (begins(0x47, 0x49, 0x46, 0x38)) return "image/gif";
  if (begins(0x52, 0x49, 0x46, 0x46) && view[8] === 0x57 && view[9] === 0x45) return "image/webp";
  return null;
}

/** What some bytes begin with as text; null where they are none. */
function beginOfText(file, isAll) {
  try {
    // A character that is cut at the end is no mistake.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(file, { stream: !isAll });
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? null : text + (isAll ? "" : "…");
  } catch {
    return null;
  }
}

/** A file with its size, a look into it once it can be seen, and a way to fetch it. */
export function asset(value, name, { life }) {
  const preview = h("div", { class: "preview" });
  const load = (range = null) => life.bytes("asset", { downloadURL: value.downloadURL }, range);
  const address = (file, type) => {
    const url = URL.createObjectURL(new Blob([file], { type }));
    life.onEnd(() => URL.revokeObjectURL(url));
    return url;
  };
  const look = async () => {
    const isAll = value.size <= beginBytes;
    const begin = await load([0, Math.min(value.size, beginBytes)]);
    const type = imageType(new Uint8Array(begin));
    if (type && value.size <= pictureBytesMax) {
      const file = isAll ? begin : await load();
      preview.append(h("img", { src: address(file, type), alt: `Preview of ${name}` }));
    } else if (!type) {
      const text = beginOfText(begin, isAll);
      if (text) preview.append(h("pre", { tabindex: "0", "aria-label": `Beginning of ${name}` }, text));
    }
  };
  if (value.downloadURL && value.size > 0) {
    whenSeen(life, preview, () => look().catch(() => preview.append(h("p", { class: "quiet" }, "The file could not be read."))));
  }
  const button = h("button", { type: "button", onclick: async () => {
    button.disabled = true;
    try {
      h("a", { href: address(await load(), "application/octet-stream"), download: name }).click();
    } catch (error) {
      preview.replaceChildren(h("p", { role: "alert" }, error.message));
    }
    button.disabled = false;
  } }, "Download", h("span", { class: "unseen" }, ` ${name}`));
  return h("div", { class: "asset" }, preview,
    h("p", {}, `File of ${bytes(value.size)} `, value.downloadURL ? button : null),
    h("p", { class: "quiet mono small" }, `checksum ${value.fileChecksum}`));
}

/** Calls `action` when an element has come into sight. */
function whenSeen(life, element, action) {
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    action();
  }, { rootMargin: "200px" });
  watcher.observe(element);
  life.onEnd(() => watcher.disconnect());
}
