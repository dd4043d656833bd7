// Saves, reads and deletes a note by CloudKit Web Services; only what Node brings.
//
//     cloudkit-mock exec --any-container -- node notes.mjs

import fs from "node:fs";
import https from "node:https";

const container = "iCloud.com.example.notes";
const zoneID = { zoneName: "Notes" };

const server = process.env.CLOUDKIT_EMULATOR_URL;
const ca = fs.readFileSync(process.env.CLOUDKIT_EMULATOR_CA);
let webAuthToken = process.env.CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN;

/** One request to the person's private database. */
function ask(path, body) {
    const tokens = new URLSearchParams({
        ckAPIToken: process.env.CLOUDKIT_EMULATOR_API_TOKEN, ckWebAuthToken: webAuthToken });
    const url = `${server}/database/1/${container}/development/private/${path}?${tokens}`;
    return new Promise((resolve, reject) => {
        const request = https.request(url, { ca, method: "POST", timeout: 30_000 }, (answer) => {
            // Each answer brings the token for the next request.
            webAuthToken = answer.headers["x-apple-cloudkit-web-auth-token"] ?? webAuthToken;
            let text = "";
            answer.setEncoding("utf8");
            answer.on("data", (part) => { text += part; });
            answer.on("end", () => answer.statusCode === 200
                ? resolve(JSON.parse(text)) : reject(new Error(`${path}: ${text}`)));
        });
        request.on("timeout", () => request.destroy(new Error(`${path}: no answer`)));
        request.on("error", reject);
        request.end(JSON.stringify(body));
    });
}

/** One change, which may be refused although the request was answered. */
async function modify(kind, operation) {
    const place = kind === "records" ? { zoneID } : {};
    const answer = await ask(`${kind}/modify`, { operations: [operation], ...place });
    const [done] = answer[kind];
    if (done.serverErrorCode) throw new Error(`${operation.operationType}: ${done.serverErrorCode}`);
    return done;
}

await modify("zones", { operationType: "create", zone: { zoneID } });
const note = await modify("records", { operationType: "create", record: {
    recordName: "milk", recordType: "Note", fields: { title: { value: "Buy milk" } } } });
console.log("saved:", note.recordName, note.recordChangeTag);
const { records: [found] } = await ask("records/lookup",
    { zoneID, records: [{ recordName: "milk" }] });
console.log("found:", found.fields.title.value);
await modify("zones", { operationType: "delete", zone: { zoneID } });
const { zones } = await ask("zones/list", {});
const names = zones.map((zone) => zone.zoneID.zoneName);
console.log("left:", names.join(", "));
if (names.includes("Notes")) throw new Error("the zone is still there");
