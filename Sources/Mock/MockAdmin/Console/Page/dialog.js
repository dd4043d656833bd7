// Dialogs, and what is copied.
import { announce, failure, h } from "./dom.js";

/**
 * A dialog with a form: `send` is called with it on submit, and what it throws is shown inside.
 * Escape and Cancel close it, and focus goes back to where it was. It does not outlive its view.
 * While `send` goes on, nothing more is sent.
 */
export function dialog({ title, about, body = [], action, danger = false, send }) {
  const opener = document.activeElement;
  const problem = h("div", {});
  const form = h("form", { method: "dialog" },
    h("h2", { id: "dialog-title" }, title),
    about && h("p", { id: "dialog-about" }, about), body, problem,
    h("div", { class: "actions" },
      h("button", { type: "button", onclick: () => element.close() }, "Cancel"),
      h("button", { class: danger ? "danger" : "primary" }, action)));
  const element = h("dialog", { "aria-labelledby": "dialog-title", "aria-describedby": about ? "dialog-about" : null }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    // A button that is disabled would lose the focus.
    if (form.hasAttribute("aria-busy")) return;
    form.setAttribute("aria-busy", "true");
    try {
      await send(form);
      element.close();
    } catch (error) {
      problem.replaceChildren(failure(error));
    } finally {
      form.removeAttribute("aria-busy");
    }
  });
  element.addEventListener("close", () => {
    element.remove();
    if (opener?.isConnected) opener.focus();
  });
  document.body.append(element);
  element.showModal();
  return element;
}

/** Puts a text on the clipboard, or shows it for copying where that is not allowed. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} copied`);
    return true;
  } catch {
    const area = h("textarea", { rows: 8, readonly: true, "aria-label": what, value: text });
    dialog({ title: `Copy ${what}`, about: "The browser blocks access to the clipboard.",
      body: area, action: "Done", send: async () => {} });
    area.select();
    return false;
  }
}

/** A button that says for a moment that it has copied. */
export function copyButton(label, what, text) {
  const button = h("button", { type: "button", onclick: async () => {
    if (!await copy(await text(), what)) return;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  } }, label);
  return button;
}

/** Closes what is open: another view is shown. */
export function closeDialogs() {
  for (const element of document.querySelectorAll("dialog")) element.close();
}
