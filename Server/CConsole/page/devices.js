// The devices: those that are registered at the gateway, and what is on the screen of those that an agent drives.
import { h, show, append, button, foreign, visible, soon } from './dom.js'
import { get } from './api.js'
import { t, number } from './words.js'
import { compose } from './compose.js'
import { drawDevice } from './device.js'
import { purposeText, tokenNames } from './tokens.js'

export async function draw(target, page, [token], signal) {
  const rows = h('div', { class: 'table' })
  const screen = h('section', { class: 'detail' })
  append(target, [h('div', { class: 'split' }, h('section', { class: 'list', 'aria-label': t('devices') }, rows), screen)])
  let shown = null
  let drawn = new AbortController()
  let latest = 0
  let listed = null
  signal.addEventListener('abort', () => drawn.abort())

  const refresh = async () => {
    latest += 1
    const own = latest
    const [list, agents] = await Promise.all([get('/v1/devices?limit=500', { signal }), agentDevices(page, { signal })])
    // A later request knows more.
    if (signal.aborted || own !== latest) return
    const version = JSON.stringify([list, [...agents.keys()]])
    if (version !== listed) drawRows(list, agents)
    listed = version
    const entry = list.devices.find(({ device }) => device.token === token) ?? null
    const place = agents.get(token)
    const home = place || !entry ? null : await homeOf(entry.device, agents, { signal })
    if (signal.aborted || own !== latest) return
    const key = JSON.stringify([token, place ?? [home, entry?.device.standing]])
    if (key === shown) return
    shown = key
    drawn.abort()
    drawn = new AbortController()
    if (!token) show(screen, h('p', { class: 'empty' }, t('screen')))
    else if (place) await drawDevice(screen, place, drawn.signal).catch(error => {
      // The next refresh tries again.
      shown = null
      throw error
    })
    else show(screen, h('h1', {}, foreign(tokenNames(list.devices.map(({ device }) => device)).get(token) ?? token)),
      home ? h('p', {}, h('a', { href: hashOf(home.token) }, t('screen'), ': ', foreign(home.name))) : h('p', { class: 'quiet' }, t('noAgent')),
      entry ? [registration(entry), h('p', { class: 'actions' }, button(t('new'), () => compose(page, { token })))] : null)
  }
  const drawRows = (list, agents) => {
    const focused = rows.contains(document.activeElement) ? document.activeElement.hash : null
    const names = tokenNames(list.devices.map(({ device }) => device))
    show(rows, list.devices.length ? list.devices.map(entry => {
      const { device } = entry
      const isDriven = agents.has(device.token)
      return h('a', { class: 'item', href: hashOf(device.token), 'aria-current': device.token === token ? 'page' : null },
        h('strong', {}, foreign(names.get(device.token))), ' ',
        h('span', { class: entry.connected ? 'good' : 'quiet' }, entry.connected ? t('online') : t('offline')),
        h('span', { class: 'quiet' }, ` · ${t('waiting')}: ${number(entry.stored)}`, isDriven ? ` · ${t('screen')}` : ''),
        device.standing === 'active' ? null : h('span', { class: 'bad' }, ` ${device.standing}`),
        h('small', {}, visible(device.purpose ? purposeText(device.purpose) : device.topics.join(', '))))
    }) : h('p', { class: 'empty' }, t('none')))
    if (focused) [...rows.querySelectorAll('a')].find(link => link.hash === focused)?.focus()
  }
  const refreshSoon = soon(400, refresh)
  page.log.listen(refreshSoon)
  // Registrations and streams change without a notification.
  const timer = setInterval(() => document.hidden || refreshSoon(), 3000)
  signal.addEventListener('abort', () => {
    page.log.listeners.delete(refreshSoon)
    clearInterval(timer)
  })
  await refresh()
}

const hashOf = token => `#devices/${encodeURIComponent(token)}`

/** Returns where the devices of agents are, by their tokens. */
export async function agentDevices(page, options) {
  const found = new Map()
  await Promise.all(page.log.agents.map(async agent => {
    const base = `/v1/agents/${encodeURIComponent(agent.id)}/control`
    try {
      for (const device of await get(`${base}/v1/devices`, { ...options, agent: agent.id })) {
        if (device.token) found.set(device.token, { agent: agent.id, base: `${base}/v1/devices/${encodeURIComponent(device.name)}`, control: base, name: device.name, token: device.token })
      }
    } catch {
      // An agent that is leaving has no devices.
    }
  }))
  return found
}

/** Returns which of the devices of agents has an app with a token for a purpose; null if none does. */
export async function homeOf({ token, name, purpose }, places, options) {
  if (!purpose) return null
  const candidates = []
  for (const place of places.values()) {
    if (place.name !== name) continue
    const read = list => get(`${place.base}/${list}`, { ...options, agent: place.agent }).catch(() => [])
    if ((await read('tokens')).some(one => one.token === token)) return place
    if ((await read('apps')).some(app => app.bundleIdentifier === purpose.app)) candidates.push(place)
  }
  // The device does not list a token that ended, or in place of which its app has another one.
  return candidates.length === 1 ? candidates[0] : null
}

function registration({ device, connected, stored }) {
  const rows = [[t('token'), device.token], ...device.purpose ? [[t('purpose'), purposeText(device.purpose)]] : [],
    ['topics', device.topics.join(', ')], [t('state'), device.standing], [t('connected'), connected], [t('waiting'), stored]]
  return h('dl', {}, rows.map(([name, value]) => [h('dt', {}, name), h('dd', {}, foreign(value))]))
}
