// Asks the administration; everything in the console goes through here.

/** Why an administrative request failed, in words for people. */
export class AskError extends Error {
  constructor(title, message, status = 0) {
    super(message);
    this.title = title;
    this.status = status;
  }
}

const titles = {
  400: "The server did not take this",
  403: "The server refused this",
  404: "There is no such thing",
  409: "This cannot be done now",
  413: "This is too long",
  503: "The server is busy",
};

/** What is given, as a query; not as a form would write it, whose "+" the server takes for itself. */
function query(given) {
  const words = Object.entries(given)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return words.length ? "?" + words.join("&") : "";
}

async function send(method, path, given = {}, body = undefined) {
  let answer;
  try {
    answer = await fetch(`/_mock/v1/${path}${query(given)}`, {
      method, cache: "no-store",
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  } catch {
    throw new AskError("The server cannot be reached",
      "It may have stopped. Start it with cksweep mock start on the same port, then try again.");
  }
  if (answer.ok) return answer;
  let reason = `It answered with the status ${answer.status}.`;
  try { reason = (await answer.json()).error ?? reason; } catch { /* The status says what there is to say. */ }
  throw new AskError(titles[answer.status] ?? "The server failed", sentence(reason), answer.status);
}

function sentence(text) {
  const words = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(words) ? words : words + ".";
}

export const ask = {
  get: async (path, given) => (await send("GET", path, given)).json(),
  bytes: async (path, given) => (await send("GET", path, given)).arrayBuffer(),
  post: async (path, body = {}) => (await send("POST", path, {}, body)).json(),
  put: async (path, body = {}) => (await send("PUT", path, {}, body)).json(),
  remove: async (path, given = {}) => (await send("DELETE", path, given)).json(),
};

/** The address of a view; what is empty is left out. */
export function link(view, parameters = {}) { return `#/${view}${query(parameters)}`; }
