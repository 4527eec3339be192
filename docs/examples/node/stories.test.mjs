// Run with: WAYPOST_BIN=$PWD/.build/bin node --test docs/examples/node/stories.test.mjs

import assert from 'node:assert'
import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gatewayKey, startDevices } from './waypost.mjs'

const iPad = new URL('../town/devices/ipad.yaml', import.meta.url)

test('Crusty opens in his own window', async (t) => {
  const devices = await startDevices(t, iPad)
  const crusty = 'https://clowntown.example/clowns/crusty'
  await devices.step({
    send: { to: 'iPad', topic: 'com.example.clowntown', title: 'Crusty is near', 'target-content-id': crusty },
  })
  await devices.step({
    open: { device: 'iPad', notification: 'Crusty is near' },
    expect: { scene: 'crusty-detail', reason: 'prefers' },
  })
})

test('A link is an argument if the scene is connected, and an option if it connects', async (t) => {
  const devices = await startDevices(t, iPad)
  await devices.step({
    open: { device: 'iPad', url: 'https://tv.example/shows/lasso' },
    expect: { visible: ['watch-now'], deliveries: ['scene(_:continue:) userActivity.webpageURL'] },
  })
  await devices.step({
    callbacks: { device: 'iPad', app: 'com.example.tv', cause: 'universalLink', state: 'notRunning' },
    expect: { deliveries: ['scene.willConnect'], notCalled: ['scene.continueUserActivity'], findings: [] },
  })
})

test('A link needs a pin', async (t) => {
  const devices = await startDevices(t, iPad)
  const lasso = 'https://tv.example/shows/lasso'
  await devices.step({ contact: { device: 'iPad', id: 'enrique', givenName: 'Enrique', handles: ['+14085550101'] } })
  await devices.step({ message: { device: 'iPad', from: 'Enrique', text: lasso }, expect: { shelf: [] } })
  await devices.step({
    pin: { device: 'iPad', link: lasso },
    expect: { shelf: [lasso], attribution: 'Enrique' },
  })
})

test('A notification expires while the iPad is offline', async (t) => {
  const devices = await startDevices(t, iPad)
  await devices.step({ network: { device: 'iPad', state: 'off' } })
  const id = await sendForAnHour('Crusty is near', devices.gateway.providerPlaintext, devices.tokens.iPad)
  await devices.step({ expect: { device: 'iPad', never: { notification: 'Crusty is near' } } })
  await devices.step({ advance: '2h' })
  await devices.step({ network: { device: 'iPad', state: 'on' } })
  await devices.step({ expect: { device: 'iPad', notification: { title: id, state: 'expired' } } })
})

test('Tokens end, and are replaced', async (t) => {
  const devices = await startDevices(t, iPad)
  const bakery = 'com.example.bakery'
  const send = (/** @type {object} */ keys) => ({ send: { to: 'iPad', topic: bakery, title: 'Bread', ...keys } })
  const app = { bundleIdentifier: bakery, tokens: ['app'], scenes: [] }
  await devices.step({ event: { device: 'iPad', type: 'appInstalled', app } })
  await devices.uninstall('iPad', bakery, { after: '1h' })
  await devices.step({ ...send(), expect: { notification: 'dropped' } })
  await devices.reinstall('iPad', bakery)
  await devices.step({ ...send(), expect: { notification: 'acknowledged' } })
  const { answer } = await devices.rotateToken('iPad', { app: bakery })
  assert.notEqual(answer.token, answer.previous)
  await devices.step({ ...send({ previous: true }), expect: { rejected: 'Unregistered' } })
  await devices.standing('iPad', 'expired', { app: bakery })
  await devices.update('iPad', bakery)
  await devices.step({ ...send(), expect: { rejected: 'ExpiredToken' } })

  const first = devices.tokens.iPad
  const restored = await devices.restoreBackup('iPad', 'iPad')
  assert.deepEqual(restored.answer.tokens[0], { previous: first, token: devices.tokens.iPad })
  assert.notEqual(devices.tokens.iPad, first)
  await devices.step({ ...send(), expect: { notification: 'acknowledged' } })
})

// Returns a provider token, which a key has signed.
function providerToken({ file, id, team }) {
  const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const parts = `${encode({ alg: 'ES256', kid: id })}.${encode({ iss: team, iat: Math.floor(Date.now() / 1000) })}`
  const key = { key: createPrivateKey(readFileSync(file)), dsaEncoding: 'ieee-p1363' }
  return `${parts}.${sign('sha256', parts, key).toString('base64url')}`
}

// Sends a notification to APNs, as your back end does, and returns its identifier.
async function sendForAnHour(title, apns, token) {
  const answer = await fetch(`${apns}/3/device/${token}`, {
    method: 'POST',
    headers: {
      authorization: `bearer ${providerToken(await gatewayKey())}`,
      'apns-topic': 'com.example.clowntown',
      'apns-push-type': 'alert',
      'apns-expiration': `${Math.floor(Date.now() / 1000) + 3600}`,
    },
    body: JSON.stringify({ aps: { alert: { title } } }),
  })
  assert.equal(answer.status, 200)
  return answer.headers.get('apns-id')
}
