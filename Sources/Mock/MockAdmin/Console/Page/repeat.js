// How to make a request fail again, and how to ask the same once more.
import { base } from "./api.js";

/** Names that a fault has for an operation that goes by an older one. */
const newer = { "records/changes": "changes/zone" };

/** The text of a fault for requests like one. */
export function ruleText(entry) {
  // What cannot be in quotation marks is replaced by the pattern for any one character.
  const quoted = (text) => `"${text.replace(/["\\\u0000-\u001f\u007f]/g, "?")}"`;
  const words = [newer[entry.operation] ?? entry.operation, "in container", entry.container, "in", entry.scope];
  if (entry.zones.length === 1 && (entry.scope !== "public" || entry.zones[0] === "_defaultZone")) {
    words.push("in zone", quoted(entry.zones[0]));
  }
  if (entry.user && !entry.user.startsWith("key ")) words.push("by user", entry.user);
  if (entry.device) words.push("by device", entry.device);
  return `${words.join(" ")} once -> ${action(entry)}`;
}

function action(entry) {
  if (entry.code) return entry.code;
  // Of a batch that failed as a whole, the item that was to blame.
  const item = entry.failures?.find(({ code }) => code !== "ATOMIC_ERROR") ?? entry.failures?.[0];
  return item ? `${item.code} on 1 items` : "THROTTLED retry 2s";
}

const transfers = {
  "assets/upload/bytes": { variable: "UPLOAD_URL", from: "url in the response of assets/upload", words: "--data-binary @FILE" },
  "assets/download": { variable: "DOWNLOAD_URL", from: "downloadURL of the record's field", words: "--output FILE" },
};

/** What the body of an operation is made of. */
const bodies = {
  "records/query": (zone) => ({ zoneID: zone, query: { recordType: "TYPE" } }),
  "records/lookup": (zone) => ({ zoneID: zone, records: [{ recordName: "NAME" }] }),
  "records/modify": (zone) => ({ zoneID: zone, operations: [{ operationType: "forceUpdate", record: { recordName: "NAME", recordType: "TYPE", fields: {} } }] }),
  "records/changes": (zone) => ({ zoneID: zone }),
  "zones/lookup": (zone) => ({ zones: [{ zoneID: zone }] }),
  "zones/modify": (zone) => ({ operations: [{ operationType: "create", zone: { zoneID: zone } }] }),
  "changes/zone": (zone) => ({ zones: [{ zoneID: zone }] }),
};

/** A command that asks the same; the journal keeps neither tokens nor bodies. */
export async function curl(entry, life) {
  const begin = 'curl --cacert "$CLOUDKIT_EMULATOR_CA"';
  const transfer = transfers[entry.operation];
  if (transfer) {
    const words = { PUT: "--upload-file FILE", HEAD: "--head" }[entry.method] ?? transfer.words;
    return `# ${transfer.variable}: ${transfer.from}\n${begin} ${words} "$${transfer.variable}"\n`;
  }
  const { service } = await life.get("");
  const place = { container: entry.container, environment: entry.environment ?? "development", database: entry.scope };
  const path = service.find(({ operation }) => operation === entry.operation).path
    .replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(place[name]));
  const isSigned = entry.user && !entry.user.startsWith("key ");
  const tokens = [["ckAPIToken", "API_TOKEN"], ...(isSigned ? [["ckWebAuthToken", webToken(entry.user)]] : [])];
  const lines = [
    `# The variables are those that cloudkit-mock env prints`,
    `${begin} "${location.origin}${base}${path}"`,
    ...tokens.map(([name, variable]) => `  --url-query "${name}=$CLOUDKIT_EMULATOR_${variable}"`),
  ];
  if (entry.method === "POST") {
    const body = JSON.stringify(bodies[entry.operation]?.({ zoneName: entry.zones[0] ?? "_defaultZone" }) ?? {});
    lines.push(`  --json '${body.replaceAll("'", "'\\''")}'`);
  }
  return lines[0] + "\n" + lines.slice(1).join(" \\\n") + "\n";
}

/** The variable with a user's token. */
function webToken(user) { return `WEB_AUTH_TOKEN_${user.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`; }
