// The frame of the console: which view the address names, and how the server is.
import { AskError, link } from "./api.js";
import { closeDialogs } from "./dialog.js";
import { announce, failure, h, number } from "./dom.js";
import { Life } from "./life.js";
import { listen, on, whenever } from "./feed.js";
import { hasToken, howToGetIt, takeToken } from "./token.js";
import * as clock from "./clock.js";
import * as data from "./data.js";
import * as devices from "./devices.js";
import * as faults from "./faults.js";
import * as findings from "./findings.js";
import * as gates from "./gates.js";
import * as journal from "./journal.js";
import * as server from "./server.js";
import * as events from "./simulate.js";
import * as worlds from "./worlds.js";

const views = { data, requests: journal, findings, faults, gates, events, devices, clock, worlds, server };
const titles = {
  data: "Data", requests: "Requests", findings: "Findings", faults: "Faults", gates: "Gates", events: "Events",
  devices: "Devices", clock: "Clock", worlds: "Snapshots", server: "Server",
};

const main = document.getElementById("main");
const links = Object.fromEntries(Object.keys(views).map((name) => [name, h("a", { href: link(name) }, titles[name])]));
document.getElementById("views").append(...Object.values(links).map((a) => h("li", {}, a)));

let open = null;

/** Shows the view of the address. Focus goes to its heading, except when the page has just been opened. */
function show(isFirst = false) {
  closeDialogs();
  const [path, query = ""] = location.hash.slice(1).split(/\?(.*)/s);
  const name = path.replace(/^\//, "") || "data";
  if (!views[name]) {
    location.replace(link("data"));
    return;
  }
  const parameters = Object.fromEntries(new URLSearchParams(query));
  for (const [other, a] of Object.entries(links)) {
    if (other === name) a.setAttribute("aria-current", "page");
    else a.removeAttribute("aria-current");
  }
  if (open?.name === name && open.view.update?.(parameters)) {
    document.title = `${open.view.title()} – cloudkit-mock`;
    return;
  }
  open?.life.end();
  const life = new Life();
  const view = views[name].open(parameters, life);
  open = { name, view, life };
  document.title = `${view.title()} – cloudkit-mock`;
  main.className = `view ${name}`;
  main.replaceChildren(...view.content.filter(Boolean));
  scrollTo(0, 0);
  if (isFirst) return;
  const heading = main.querySelector("h1");
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", () => {
  // The link was opened where the page was open already: all of it is asked for anew.
  if (takeToken()) location.reload();
  else if (hasToken()) show();
});
const whole = new Life();
if (hasToken()) {
  listen();
  show(true);
} else {
  main.replaceChildren(h("h1", {}, "The link to this page is needed"), failure(new AskError("This page has no token for this server", howToGetIt)));
}

/** Which world this is, where it is not the server's own. */
on(whole, "hello", ({ namespace }) => {
  const place = document.getElementById("world");
  place.textContent = namespace ?? "";
  place.hidden = !namespace;
});

/** Looks now and then how the server is, while somebody can see it. */
async function look() {
  const place = document.getElementById("health");
  let text = "running";
  let kind = "fine";
  try {
    const health = await whole.get("health");
    if (health.status !== "ok") [text, kind] = ["accepts no writes", "bad"];
    // Without the right token the server answers its status alone.
    else if (!health.url) [text, kind] = ["no token", "bad"];
    place.title = health.url ? `${health.url}, started ${health.startedAt}` : howToGetIt;
  } catch {
    [text, kind] = ["unreachable", "bad"];
  }
  if (place.textContent !== text) {
    if (place.textContent) announce(`The server: ${text}`);
    place.textContent = text;
    place.className = `health ${kind}`;
  }
}

look();
whole.every(5000, look);

const findingCount = h("span", { class: "badge warn", hidden: true });
links.findings.append(" ", findingCount);

/** Says beside the view's name how many findings there are. */
async function countFindings() {
  try {
    const { findings, dropped } = await whole.get("findings");
    const count = findings.length + dropped;
    findingCount.textContent = number(count);
    findingCount.hidden = !count;
  } catch { /* The bar says that the server is unreachable. */ }
}

if (hasToken()) {
  countFindings();
  whole.every(5000, countFindings);
  whenever(whole, ["administration", "reset"], countFindings);
}
