// The gateway's pulse: rates, backlog, latency, streams, errors, store, clock, keys, faults, channels.
import { h, show, append, button } from './dom.js'
import { sparkline, table } from './charts.js'
import { get, request, send, Refusal } from './api.js'
import { t, number, duration } from './words.js'

export async function draw(target, page, _, signal) {
  const [pulse, charts, lists] = [h('div', { class: 'tiles' }), h('div', {}), h('div', { class: 'columns' })]
  append(target, [h('div', { class: 'page' }, h('h1', {}, t('gateway')), pulse, charts, lists)])
  let before = null
  const history = []
  const beat = async () => {
    const now = { at: performance.now(), metrics: parse(await (await request('GET', '/metrics', { signal })).text()) }
    if (before) {
      const view = digest(before, now)
      history.push(view)
      if (history.length > 120) history.shift()
      show(pulse, tiles(view))
      show(charts, sparkline(t('accepted'), history.map(one => one.accepted), '/s'), latency(page.log.records), errors(view))
    }
    before = now
  }
  const slow = async () => show(lists, await Promise.all([health(signal), clock(signal, slow), streams(signal, slow), faults(signal, slow), namespaces(signal), keys(signal), channels(signal), senders(signal)]))
  await slow()
  await beat().catch(() => {})
  const timers = [setInterval(() => document.hidden || beat().catch(() => {}), 1000), setInterval(() => {
    if (!document.hidden && !lists.contains(document.activeElement)) slow().catch(() => {})
  }, 3000)]
  signal.addEventListener('abort', () => timers.forEach(clearInterval))
}

/** Parses the text format of Prometheus: the samples by name, each with its labels. */
export function parse(text) {
  const metrics = new Map()
  for (const line of text.split('\n')) {
    const found = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line)
    if (!found) continue
    const labels = Object.fromEntries([...(found[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(match => [match[1], match[2]]))
    if (!metrics.has(found[1])) metrics.set(found[1], [])
    metrics.get(found[1]).push({ labels, value: Number(found[3]) })
  }
  return metrics
}

const sum = (metrics, name) => (metrics.get(name) ?? []).reduce((total, sample) => total + sample.value, 0)

function digest(before, after) {
  const seconds = (after.at - before.at) / 1000
  const rate = name => Math.max(0, sum(after.metrics, name) - sum(before.metrics, name)) / seconds
  const state = (metrics, wanted) => (metrics.get('waypost_notification_states_total') ?? [])
    .filter(sample => sample.labels.state === wanted).reduce((total, sample) => total + sample.value, 0)
  const commits = rate('waypost_commit_duration_seconds_count')
  const reasons = new Map()
  for (const { labels, value } of after.metrics.get('waypost_notifications_rejected_total') ?? []) {
    reasons.set(labels.reason, (reasons.get(labels.reason) ?? 0) + value)
  }
  return {
    accepted: rate('waypost_notifications_accepted_total'),
    sent: rate('waypost_notifications_sent_total'),
    acknowledged: Math.max(0, state(after.metrics, 'acknowledged') - state(before.metrics, 'acknowledged')) / seconds,
    backlog: sum(after.metrics, 'waypost_inbox_notifications'),
    unacknowledged: sum(after.metrics, 'waypost_notifications_unacknowledged'),
    streams: sum(after.metrics, 'waypost_sessions_open'),
    commit: commits ? rate('waypost_commit_duration_seconds_sum') / commits * 1000 : null,
    store: sum(after.metrics, 'waypost_store_size_bytes'),
    memory: sum(after.metrics, 'process_resident_memory_bytes'),
    reasons,
  }
}

function tiles(view) {
  const rate = value => `${value < 10 && value > 0 ? value.toFixed(1) : number(Math.round(value))}/s`
  return [
    [t('accepted'), rate(view.accepted)], [t('sent'), rate(view.sent)], [t('acknowledged'), rate(view.acknowledged)],
    [t('backlog'), number(view.backlog)], [t('unacknowledged'), number(view.unacknowledged)], [t('streams'), number(view.streams)],
    [t('store'), view.store ? `${(view.store / 1048576).toFixed(1)} MiB` : '–'], [t('commit'), view.commit === null ? '–' : duration(view.commit)], [t('memory'), `${Math.round(view.memory / 1048576)} MiB`],
  ].map(([name, value]) => h('div', { class: 'tile' }, h('span', {}, name), h('strong', {}, value)))
}

function latency(records) {
  const times = []
  for (const record of records.slice(-2000)) {
    const end = record.history?.findLast?.(step => step.state === 'acknowledged')
    if (end) times.push(end.at - record.history[0].at)
  }
  if (!times.length) return null
  times.sort((one, other) => one - other)
  const at = share => duration(times[Math.max(0, Math.ceil(times.length * share) - 1)])
  return h('figure', {}, h('figcaption', {}, `${t('latency')} (${number(times.length)})`),
    h('p', {}, `p50 ${at(0.5)} · p90 ${at(0.9)} · p99 ${at(0.99)} · max ${at(1)}`))
}

function errors(view) {
  const rows = [...view.reasons].sort((one, other) => other[1] - one[1]).slice(0, 12)
  return rows.length ? table(t('errors'), [], rows.map(([reason, count]) => [reason, number(count)])) : null
}

async function health(signal) {
  const state = await get('/health', { signal })
  const rows = [[t('state'), state.status], [t('version'), `${state.version} (${state.build})`], [t('store'), state.store],
    ['courier', state.courier], ['provider', state.provider ?? state.providerPlaintext],
    [t('network'), state.trustsNetwork && t('trusted')], ['', state.notice]].filter(row => row[1])
  for (const gateway of state.gateways ?? []) rows.push(['gateway', gateway.service ?? gateway.courier])
  return table(t('state'), [], rows)
}

async function clock(signal, redraw) {
  const reading = await get('/v1/clock', { signal })
  const time = new Date(reading.now).toISOString()
  if (reading.clock === 'system') return table(t('clock'), [], [[time, t('systemClock')]])
  const steps = [[1000, '1 s'], [60000, '1 min'], [3600000, '1 h'], [86400000, '1 d']]
  return table(t('clock'), [], [[time, '']], h('p', { class: 'actions' }, steps.map(([by, label]) => button(`${t('advance')}: ${label}`, async () => {
    await send('POST', '/v1/clock/advance', { by })
    redraw()
  }))))
}

async function streams(signal, redraw) {
  const { streams } = await get('/v1/streams?limit=50', { signal })
  return table(t('streams'), [t('device'), t('unacknowledged'), t('time'), ''], streams.map(stream => [
    stream.devices.map(device => device.name).slice(0, 3).join(', '), number(stream.unacknowledged), duration(stream.age),
    button(t('remove'), async () => {
      await send('DELETE', `/v1/streams/${stream.agent}`)
      redraw()
    })]))
}

async function faults(signal, redraw) {
  const list = await get('/v1/faults', { signal })
  return table(t('faults'), [t('token'), t('value'), ''], list.map(({ id, fault, left }) => [
    fault.token ? `${fault.token.slice(0, 12)}…` : t('all'), `${fault.kind} ${fault.reason ?? fault.status ?? ''} ${left ?? ''}`,
    button(t('remove'), async () => {
      await send('DELETE', `/v1/faults/${encodeURIComponent(id)}`)
      redraw()
    })]))
}

async function namespaces(signal) {
  const list = await get('/v1/namespaces', { signal })
  return table(t('namespace'), [t('name'), t('devices'), t('notifications')], list.map(one => [one.name, number(one.devices ?? 0), number(one.notifications ?? one.stored ?? 0)]))
}

async function keys(signal) {
  const [list, uses] = await Promise.all(['/v1/keys', '/v1/key-uses'].map(path => get(path, { signal })))
  const used = new Map(uses.map(use => [use.id, use]))
  const time = moment => moment ? new Date(moment).toISOString().slice(0, 19).replace('T', ' ') : '–'
  return table(t('keys'), ['id', 'team', 'topics', t('tokenSince'), t('lastUse')], list.map(key =>
    [key.id, key.team, (key.topics ?? ['*']).join(', '), time(used.get(key.id)?.tokenSince), time(used.get(key.id)?.lastUse)]))
}

/** The broadcast channels of the apps of the devices, at most twenty apps. */
async function channels(signal) {
  const { devices } = await get('/v1/devices?limit=200', { signal })
  const topics = [...new Set(devices.flatMap(({ device }) => device.topics))].sort().slice(0, 20)
  const found = (await Promise.all(topics.map(topic => get(`/v1/channels?topic=${encodeURIComponent(topic)}`, { signal })))).flat()
  return table(t('channels'), ['id', t('topic'), t('keeps')], found.slice(0, 50).map(one => [one.id, one.app, one.storesNewest ? '1' : '0']))
}

async function senders(signal) {
  const report = await get('/v1/sender', { signal }).catch(error => { if (error instanceof Refusal) return null; throw error })
  if (!report) return null
  const rows = Object.entries(report).filter(([, value]) => typeof value !== 'object').map(([name, value]) => [name, String(value)])
  return table('Providers', [], rows)
}
