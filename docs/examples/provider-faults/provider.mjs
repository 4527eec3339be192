// A provider that copes with the errors of APNs. It sends two notifications to each device, over HTTP/2.
//
// Its environment is that of a step 'run' of a scenario: WAYPOST_PROVIDER with WAYPOST_CA (TLS, as APNs requires), or
// else WAYPOST_PROVIDER_PLAINTEXT; and WAYPOST_TOKEN_IPAD and so on, the device tokens.

import { createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import http2 from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'

const topic = 'com.example.clowntown'
const titles = ['Crusty is near', 'Crusty has arrived']
const mostAttempts = 5

// A provider of your own reads the .p8 file that you got from Apple, or from 'waypost keys create'.
const key = process.env.APNS_KEY_FILE
  ? createPrivateKey(readFileSync(process.env.APNS_KEY_FILE))
  : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

function makeProviderToken() {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = part({ alg: 'ES256', kid: process.env.APNS_KEY_ID ?? 'ABC123DEFG' })
  const claims = part({ iss: process.env.APNS_TEAM_ID ?? 'TEAM123456', iat: Math.floor(Date.now() / 1000) })
  const signature = sign('sha256', Buffer.from(`${head}.${claims}`), { key, dsaEncoding: 'ieee-p1363' })
  return `${head}.${claims}.${signature.toString('base64url')}`
}

// All requests share one token, because APNs allows a new one only every 20 minutes.
let providerToken = makeProviderToken()

function replaceProviderToken(expired) {
  if (providerToken !== expired) return // another request has replaced it already
  providerToken = makeProviderToken()
  console.log('the provider token has expired: made a new one')
}

let connection

// Returns the open connection, or a new one if the server has ended the last one with GOAWAY.
function openConnection() {
  if (connection && !connection.closed && !connection.destroyed && connection.lastProcessed === undefined) {
    return connection
  }
  const { WAYPOST_PROVIDER, WAYPOST_CA, WAYPOST_PROVIDER_PLAINTEXT } = process.env
  const opened = WAYPOST_PROVIDER
    ? http2.connect(WAYPOST_PROVIDER, { ca: readFileSync(WAYPOST_CA) })
    : http2.connect(WAYPOST_PROVIDER_PLAINTEXT)
  opened.on('goaway', (code, lastStreamID, data) => {
    opened.lastProcessed = lastStreamID
    console.log(`GOAWAY ${data ?? ''}: the next request opens a new connection`)
  })
  opened.on('error', () => {}) // every open request reports it
  connection = opened
  return opened
}

// Sends a request, and returns the answer, or null if the server did not process the request before its GOAWAY.
function send(deviceToken, id, payload) {
  const session = openConnection()
  const sentToken = providerToken
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': `/3/device/${deviceToken}`,
      authorization: `bearer ${sentToken}`,
      'apns-topic': topic,
      'apns-push-type': 'alert',
      'apns-id': id,
    })
    let status, failure
    let body = ''
    stream.setEncoding('utf8')
    stream.on('response', (headers) => (status = headers[':status']))
    stream.on('data', (text) => (body += text))
    stream.on('error', (error) => (failure = error))
    stream.on('close', () => {
      if (status) return resolve({ status, reason: body ? JSON.parse(body).reason : undefined, sentToken })
      const wasProcessed = session.lastProcessed === undefined || stream.id <= session.lastProcessed
      return wasProcessed ? reject(failure ?? new Error('the stream ended without an answer')) : resolve(null)
    })
    stream.end(JSON.stringify(payload))
  })
}

const unregistered = new Set()

// Sends a notification until APNs has accepted it, or it is pointless to try again.
async function deliver(name, deviceToken, title) {
  const id = randomUUID() // the same in every attempt
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    if (unregistered.has(deviceToken)) return
    const answer = await send(deviceToken, id, { aps: { alert: { title } } })
    if (answer === null) continue
    const { status, reason, sentToken } = answer
    if (status === 200) return
    if (status === 410) {
      unregistered.add(deviceToken)
      console.log(`${name} is unregistered: nothing more is sent to it`)
    } else if (status === 429) {
      const pause = 100 * 2 ** (attempt - 1)
      console.log(`${name} gets too many requests: waiting ${pause} ms`)
      await sleep(pause)
    } else if (reason === 'ExpiredProviderToken') {
      replaceProviderToken(sentToken)
    } else {
      throw new Error(`${name}: ${status} ${reason}`)
    }
  }
  if (!unregistered.has(deviceToken)) throw new Error(`${name}: given up after ${mostAttempts} attempts`)
}

// The tokens of the devices, which are for the topic. The app of another topic on the Mac has a token of its own.
const devices = ['IPAD', 'MAC', 'IPHONE', 'OLD_IPHONE'].map((name) => [name, process.env[`WAYPOST_TOKEN_${name}`]])
try {
  for (const title of titles) {
    await Promise.all(devices.map(([name, token]) => deliver(name, token, title)))
  }
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
connection?.close()
