// node-apn, as in its documentation: a provider for each team, and send for each notification.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const apn = createRequire(`${process.env.WAYPOST_CLIENT_SOURCES}/`)("@parse/node-apn");
const { WAYPOST_HOST: address, WAYPOST_PORT: port, WAYPOST_CA_FILE: authority } = process.env;
const providers = {}, gone = {};

function provider({ teamID, keyID, keyFile }) {
  return providers[teamID] ??= new apn.Provider({
    token: { key: keyFile, keyId: keyID, teamId: teamID }, production: true, address, port,
    ca: [readFileSync(authority)],
  });
}

async function send(message) {
  if (message.registeredAt * 1000 <= (gone[message.token] ?? 0)) return;
  const note = new apn.Notification({ topic: message.topic, pushType: message.pushType });
  note.rawPayload = message.payload;
  if (message.pushType === "background") note.priority = 5;
  if (message.expiration === "now") note.expiry = 0;
  if (message.expiration === "hour") note.expiry = Math.floor(Date.now() / 1000) + 3600;
  const { failed } = await provider(message).send(note, message.token);
  for (const failure of failed) {
    if (String(failure.status) === "410") gone[message.token] = failure.response?.timestamp ?? Date.now();
    console.error(`${message.marker}: ${failure.status} ${failure.response?.reason ?? failure.error?.message}`);
  }
}

const sends = [];
for await (const line of createInterface({ input: process.stdin })) sends.push(send(JSON.parse(line)));
await Promise.allSettled(sends);
for (const provider of Object.values(providers)) provider.shutdown();
