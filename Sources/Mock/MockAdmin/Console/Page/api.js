// Asks the administration; everything in the console goes through here.
import { authorization, howToGetIt } from "./token.js";

/** Why an administrative request failed, in words for people. */
export class AskError extends Error {
  constructor(title, message, status = 0) {
    super(message);
    this.title = title;
    this.status = status;
  }
}

const titles = {
  400: "The server rejected this",
  401: "This page has no token for this server",
  403: "The server refused this",
  404: "Not found",
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

/** Where the world that is shown is: the page of a namespace is below `/~NAME/`. */
export const base = /^\/~[^/]+/.exec(location.pathname)?.[0] ?? "";

async function send(method, path, { given = {}, body, signal, range = null, headers = {} } = {}) {
  let answer;
  try {
    answer = await fetch(`${base}/_mock/v1/${path}${query(given)}`, {
      method, signal, body, cache: "no-store",
      headers: {
        ...authorization(), ...headers,
        ...(body === undefined || body instanceof Blob ? {} : { "content-type": "application/json" }),
        ...(range === null ? {} : { range: `bytes=${range[0]}-${range[1] - 1}` }),
      },
    });
  } catch {
    throw new AskError("The server cannot be reached",
      "It may have stopped. Start it with cloudkit-mock serve on the same port, then try again.");
  }
  if (answer.ok) return answer;
  if (answer.status === 401) throw new AskError(titles[401], howToGetIt, 401);
  let reason = `It replied with status ${answer.status}.`;
  try { reason = (await answer.json()).error ?? reason; } catch { /* The status says what there is to say. */ }
  throw new AskError(titles[answer.status] ?? "The server failed", sentence(reason), answer.status);
}

function sentence(text) {
  const words = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(words) ? words : words + ".";
}

/** A body as it is sent: a text or a file is one already. */
function sent(body) { return typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body); }

export const ask = {
  get: async (path, given, signal) => (await send("GET", path, { given, signal })).json(),
  /** An answer that is read as it comes. */
  stream: async (path, given, headers) => (await send("GET", path, { given, headers })).body,
  blob: async (path) => (await send("GET", path)).blob(),
  bytes: async (path, given, signal, range) => (await send("GET", path, { given, signal, range })).arrayBuffer(),
  post: async (path, body = {}, given = {}) => (await send("POST", path, { given, body: sent(body) })).json(),
  put: async (path, body = {}) => (await send("PUT", path, { body: sent(body) })).json(),
  remove: async (path, given = {}) => (await send("DELETE", path, { given })).json(),
};

/** The address of a view; what is empty is left out. */
export function link(view, parameters = {}) { return `#/${view}${query(parameters)}`; }
