// node node_apn.mjs TOKEN KEYFILE KEY TEAM PORT COUNT
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const apn = createRequire(`${process.env.WAYPOST_CLIENT_SOURCES}/`)("@parse/node-apn");
const [token, key, keyId, teamId, port, count] = process.argv.slice(2);
const provider = new apn.Provider({
  token: { key, keyId, teamId }, production: true, address: "localhost", port,
  ca: [readFileSync(process.env.SSL_CERT_FILE)],
});
const answers = {};

async function send(number) {
  const note = new apn.Notification({ alert: `Honk ${number}`, topic: "com.example.clowntown", pushType: "alert" });
  // Every fifth request goes to an unknown device.
  const { sent, failed } = await provider.send(note, number % 5 === 4 ? "00ff" : token);
  for (const failure of failed) {
    const { reason, timestamp } = failure.response ?? { reason: failure.error?.message };
    const answer = [failure.status, reason, timestamp].filter(Boolean).join(" ");
    answers[answer] = (answers[answer] ?? 0) + 1;
  }
  if (sent.length > 0) answers.sent = (answers.sent ?? 0) + 1;
}

await send(0);
await Promise.all(Array.from({ length: count - 1 }, (_, number) => send(number + 1)));
provider.shutdown();
for (const answer of Object.keys(answers).sort()) console.log(`${answer}: ${answers[answer]}`);
