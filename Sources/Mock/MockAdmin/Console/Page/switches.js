// The switches of the server, each with what it means.
import { announce, choice, failure, h, labelled, line, section } from "./dom.js";
import { follow } from "./feed.js";

export function switchesPart(life) {
  const place = h("div", { class: "stack" });
  const filter = line({ type: "search" });
  const narrow = () => {
    for (const item of place.querySelectorAll("li")) item.hidden = !item.textContent.toLowerCase().includes(filter.value.trim().toLowerCase());
  };
  filter.addEventListener("input", narrow);
  follow(life, place, ["administration"], (asking) => Promise.all([asking.get("options"), asking.get("")]), ([options, { switches }]) => {
    queueMicrotask(narrow);
    return h("ul", { class: "plain switches" }, switches.map((option) => row(life, option, options[option.name])));
  });
  return section("Settings", { panel: true, about: "Behavior where the real service's is unknown or varies. A change takes effect immediately." },
    labelled("Find a setting", filter), place);
}

function row(life, option, value) {
  const name = `switch-${option.name}`;
  const problem = h("div", { class: "switch-problem" });
  const isFlag = option.values === "true|false";
  const names = option.values.includes("|") ? option.values.split("|") : null;
  const range = names ? null : option.values.split("...");
  const input = isFlag ? h("input", { type: "checkbox", class: "toggle", role: "switch" })
    : names ? choice(names.map((text) => [text, text]), String(value))
      : h("input", { type: "number", min: range[0], max: range[1], value });
  if (isFlag) input.checked = value;
  input.id = name;
  input.setAttribute("aria-describedby", `${name}-about`);
  const mark = h("span", { class: "quiet small" });
  const note = (now) => { mark.textContent = String(now) === option.standard ? "" : `default: ${option.standard}`; };
  note(value);
  input.addEventListener("change", async () => {
    const wanted = isFlag ? input.checked : names ? input.value : Number(input.value);
    try {
      const now = (await life.put("options", { [option.name]: wanted }))[option.name];
      problem.replaceChildren();
      note(now);
      announce(`${option.name} is ${now}`);
    } catch (error) {
      problem.replaceChildren(failure(error));
    }
  });
  return h("li", {},
    h("div", {}, h("label", { for: name, class: "mono" }, option.name), " ", mark,
      h("p", { class: "quiet", id: `${name}-about` }, option.about)),
    input, problem);
}
