// The token of the administration: the link that opens the console brings it in its fragment.
const key = "cksweep-admin-token";
let token = null;

/** Takes the token out of the address, so that no history or bookmark keeps it. Whether there was one. */
export function takeToken() {
  const given = /^#token=([0-9a-f]+)$/.exec(location.hash)?.[1];
  if (!given) return false;
  token = given;
  history.replaceState(null, "", location.pathname + location.search);
  try { sessionStorage.setItem(key, given); } catch { /* Where nothing may be kept, it is known until the page is left. */ }
  return true;
}

/** What requests carry it in; nothing without one. */
export function authorization() { return token ? { authorization: `Bearer ${token}` } : {}; }

export function hasToken() { return token !== null; }

/** How to get the link, where the page was opened without it, or with that of another start. */
export const howToGetIt = "Open the link that cloudkit-mock serve prints on a terminal. It is also in the ready file, as “console”. Each start has its own link.";

if (!takeToken()) {
  try { token = sessionStorage.getItem(key); } catch { /* As if nothing were kept. */ }
}
