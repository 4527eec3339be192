// Node's http2, which is no APNs client: a session for each team, a new one when the last has ended, and a new provider
// token every 40 minutes, as Apple asks.
import { sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { createInterface } from "node:readline";

const sessions = {}, tokens = {}, gone = {};
const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

function bearer({ teamID, keyID, keyFile }) {
  const now = Math.floor(Date.now() / 1000);
  if (!tokens[keyID] || now - tokens[keyID].at >= 2400) {
    const signed = part({ alg: "ES256", kid: keyID }) + "." + part({ iss: teamID, iat: now });
    const signature = sign("sha256", signed, { key: readFileSync(keyFile), dsaEncoding: "ieee-p1363" });
    tokens[keyID] = { at: now, text: `${signed}.${signature.toString("base64url")}` };
  }
  return tokens[keyID].text;
}

function session({ teamID }) {
  let session = sessions[teamID];
  if (!session || session.closed || session.destroyed) {
    session = sessions[teamID] = connect(process.env.WAYPOST_URL);
    session.on("error", (error) => console.error(error.message));
  }
  return session;
}

function send(message) {
  if (message.registeredAt * 1000 <= (gone[message.token] ?? 0)) return;
  const headers = {
    ":method": "POST", ":path": `/3/device/${message.token}`, authorization: `bearer ${bearer(message)}`,
    "apns-topic": message.topic, "apns-push-type": message.pushType,
  };
  if (message.pushType === "background") headers["apns-priority"] = 5;
  if (message.expiration === "now") headers["apns-expiration"] = 0;
  if (message.expiration === "hour") headers["apns-expiration"] = Math.floor(Date.now() / 1000) + 3600;
  let status, body = "";
  const stream = session(message).request(headers);
  stream.on("response", (headers) => { status = headers[":status"]; });
  stream.on("data", (piece) => { body += piece; });
  stream.on("error", (error) => console.error(`${message.marker}: ${error.message}`));
  stream.on("end", () => {
    if (status === 410) gone[message.token] = JSON.parse(body).timestamp ?? Date.now();
  });
  stream.end(JSON.stringify(message.payload));
}

for await (const line of createInterface({ input: process.stdin })) send(JSON.parse(line));
for (const session of Object.values(sessions)) session.close();
