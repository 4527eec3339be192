// The live list of notifications, and one of them with all that is known about it.
import { h, show, append, button, field, choice, foreign, visible, announce, attempt, pause, download, dialog } from './dom.js'
import { curl, get, request, send, Refusal } from './api.js'
import { t, number, timeOfDay, duration } from './words.js'
import { alertOf, isFinal } from './log.js'
import { compose, oneLine } from './compose.js'
import { agentDevices, homeOf } from './devices.js'
import { purposeText } from './tokens.js'

const rowHeight = 52
const states = ['accepted', 'stored', 'sent', 'acknowledged', 'collapsed', 'expired', 'dropped', 'unregistered', 'rejected']

/** The filter outlives the view. */
const filter = { text: '', state: '', topic: '', device: '' }
let selected = null
let epoch = 0

/** Whether letters are shortcuts. */
let hasShortcuts = true

export async function draw(target, page, [id], signal) {
  const list = new List(page, signal, record => {
    selected = record?.sequence ?? null
    if (record) history.replaceState(null, '', `#notifications/${record.sequence}`)
    detail.draw(record)
  })
  const detail = new Detail(page, signal)
  if (epoch !== page.log.epoch) selected = null
  epoch = page.log.epoch
  if (id) selected = Number(id)
  const search = h('input', {
    type: 'search', value: filter.text, placeholder: t('searchHint'), 'aria-label': t('search'), spellcheck: 'false',
    input: pause(120, () => list.filter({ text: search.value })),
  })
  const topics = h('select', { 'aria-label': t('topic'), change: event => list.filter({ topic: event.target.value }) })
  const devices = h('select', { 'aria-label': t('device'), change: event => list.filter({ device: event.target.value }) })
  list.choices = { topics, devices }
  append(target, [h('div', { class: 'split' },
    h('section', { class: 'list', 'aria-label': t('notifications') },
      h('div', { class: 'bar' }, search,
        choice([['', `${t('state')}: ${t('all')}`], ...states.map(state => [state, state])], filter.state,
          state => list.filter({ state }), { 'aria-label': t('state') }),
        topics, devices, button(t('new'), () => compose(page), { class: 'main' })),
      list.element, list.footer),
    h('section', { class: 'detail', 'aria-live': 'off' }, detail.element))])
  addEventListener('keydown', event => shortcut(event, list, detail, search, page), { signal })
  page.log.listen(list.update)
  signal.addEventListener('abort', () => page.log.listeners.delete(list.update))
  list.update()
  if (!list.current) detail.draw(null)
}

function shortcut(event, list, detail, search, page) {
  if (!hasShortcuts || event.target.closest('input, textarea, select, dialog') || event.ctrlKey || event.metaKey || event.altKey) return
  const actions = {
    j: () => list.move(1), k: () => list.move(-1), '/': () => search.focus(), n: () => compose(page),
    r: () => list.current && detail.resend(list.current),
  }
  // A key that is held moves through the list, and does nothing else again.
  if (!actions[event.key] || event.repeat && !'jk'.includes(event.key)) return
  event.preventDefault()
  attempt(actions[event.key])(event)
}

/** Returns a text that changes with what is shown of a notification. */
const version = (record, page) => `${record.sequence} ${record.history?.length} ${record.state} ${page.names.get(record.token)}`

/** The list: only the rows that can be seen are in the document. */
class List {
  constructor(page, signal, select) {
    this.page = page
    this.select = select
    this.found = []
    this.rows = new Map()
    this.space = h('div', { class: 'space' })
    this.element = h('div', {
      class: 'rows', tabindex: '0', role: 'listbox', 'aria-label': t('notifications'),
      scroll: () => this.drawRows(), keydown: event => this.key(event),
    }, this.space)
    this.count = h('span', {})
    this.footer = h('p', { class: 'footer' }, this.count, ' · ', h('label', {}, h('input', {
      type: 'checkbox', checked: hasShortcuts, change: event => { hasShortcuts = event.target.checked },
    }), ' ', t('shortcuts')))
    this.titles = pause(150, () => this.loadTitles())
    const observer = new ResizeObserver(() => this.drawRows())
    observer.observe(this.element)
    signal.addEventListener('abort', () => observer.disconnect())
    this.update = this.update.bind(this)
  }

  get current() {
    return this.found.find(record => record.sequence === selected) ?? null
  }

  filter(change) {
    Object.assign(filter, change)
    this.element.scrollTop = 0
    this.update()
  }

  matches(record) {
    if (filter.state && record.state !== filter.state) return false
    if (filter.topic && record.topic !== filter.topic) return false
    if (filter.device && record.token !== filter.device) return false
    if (!filter.text) return true
    const words = filter.text.toLowerCase()
    return [record.id, record.token, record.topic, record.reason, record.batch, this.page.names.get(record.token),
      this.page.payloads.peek(record)].some(text => text && text.toLowerCase().includes(words))
  }

  /** Finds again what matches, the newest first. */
  update() {
    if (epoch !== this.page.log.epoch) {
      epoch = this.page.log.epoch
      this.select(null)
    }
    const before = this.found.length
    const isFiltered = filter.text || filter.state || filter.topic || filter.device
    const records = this.page.log.records
    this.found = isFiltered ? records.filter(record => this.matches(record)).reverse() : records.toReversed()
    // What a person has scrolled to stays where it is.
    const top = this.element.scrollTop
    this.space.style.height = `${this.found.length * rowHeight}px`
    if (top > rowHeight && this.found.length > before && !isFiltered) {
      this.element.scrollTop = top + (this.found.length - before) * rowHeight
    }
    this.drawChoices()
    this.drawRows()
    const current = this.current
    if (current && this.drawn !== version(current, this.page)) {
      this.drawn = version(current, this.page)
      this.select(current)
    }
    show(this.count, t('of', number(this.found.length), number(records.length)))
  }

  drawChoices() {
    const recent = this.page.log.records.slice(-5000)
    // What is chosen stays in the list.
    const topics = [...new Set([filter.topic, ...recent.map(record => record.topic)].filter(Boolean))].sort()
    const devices = [...new Set([filter.device, ...recent.map(record => record.token)].filter(Boolean))].slice(0, 200)
    const key = JSON.stringify([topics, devices.map(token => this.page.names.get(token))])
    if (key === this.drawnChoices) return
    this.drawnChoices = key
    const fill = (select, label, options, value) => show(select, [['', `${label}: ${t('all')}`], ...options]
      .map(([option, text]) => h('option', { value: option, selected: option === value }, visible(text))))
    fill(this.choices.topics, t('topic'), topics.map(topic => [topic, topic]), filter.topic)
    fill(this.choices.devices, t('device'), devices.map(token => [token, this.page.names.get(token) ?? `${token.slice(0, 8)}…`]), filter.device)
  }

  drawRows() {
    const { scrollTop, clientHeight } = this.element
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - 10)
    const shown = this.found.slice(first, first + Math.min(150, Math.ceil(clientHeight / rowHeight) + 20))
    const kept = new Map()
    shown.forEach((record, index) => {
      let row = this.rows.get(record.sequence)
      if (!row) {
        row = h('div', { class: 'row', role: 'option', id: `n${record.sequence}`, click: () => this.choose(record) })
        this.space.append(row)
      }
      const title = this.page.payloads.peek(record)
      const key = `${record.state} ${title !== undefined} ${this.page.names.get(record.token)}`
      if (row.dataset.key !== key) {
        row.dataset.key = key
        this.fillRow(row, record, title)
      }
      row.style.transform = `translateY(${(first + index) * rowHeight}px)`
      row.setAttribute('aria-selected', record.sequence === selected ? 'true' : 'false')
      row.setAttribute('aria-setsize', this.found.length)
      row.setAttribute('aria-posinset', first + index + 1)
      kept.set(record.sequence, row)
    })
    for (const [sequence, row] of this.rows) if (!kept.has(sequence)) row.remove()
    this.rows = kept
    this.visibleRecords = shown
    const current = this.current
    if (current && kept.has(current.sequence)) this.element.setAttribute('aria-activedescendant', `n${current.sequence}`)
    else this.element.removeAttribute('aria-activedescendant')
    if (!this.found.length) {
      this.empty ??= h('p', { class: 'empty' })
      show(this.empty, this.page.log.records.length ? t('noneMatching') : t('none'))
      this.element.append(this.empty)
    } else {
      this.empty?.remove()
    }
    this.titles()
  }

  fillRow(row, record, text) {
    const alert = text ? alertOf(text) : {}
    const title = record.reason ?? alert.title ?? alert.body ?? alert.kind ?? (text ? record.pushType : '')
    show(row,
      h('span', { class: 'time' }, timeOfDay(record.history?.[0]?.at ?? 0)),
      h('span', { class: `state ${record.state}` }, record.state),
      h('span', { class: 'title' }, foreign(String(title ?? '').slice(0, 300))),
      h('span', { class: 'place' }, foreign((this.page.names.get(record.token) ?? record.token ?? '').slice(0, 100)), ' · ', visible(record.topic)))
  }

  loadTitles() {
    this.page.payloads.want(this.visibleRecords ?? [], record => {
      const row = this.rows.get(record.sequence)
      if (row) this.fillRow(row, record, this.page.payloads.peek(record))
    })
  }

  choose(record) {
    selected = record.sequence
    this.drawn = version(record, this.page)
    this.select(record)
    this.drawRows()
  }

  move(by) {
    if (!this.found.length) return
    const index = this.found.findIndex(record => record.sequence === selected)
    const next = Math.min(this.found.length - 1, Math.max(0, index < 0 ? 0 : index + by))
    const top = next * rowHeight
    const { scrollTop, clientHeight } = this.element
    if (top < scrollTop) this.element.scrollTop = top
    if (top + rowHeight > scrollTop + clientHeight) this.element.scrollTop = top + rowHeight - clientHeight
    this.choose(this.found[next])
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / rowHeight) - 1)
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.found.length, End: this.found.length }
    if (!(event.key in steps)) return
    event.preventDefault()
    this.move(steps[event.key])
  }
}

/** One notification. */
class Detail {
  constructor(page, signal) {
    this.page = page
    this.element = h('div', {})
    this.signal = signal
    const timer = setInterval(() => document.hidden || this.readJournal().catch(() => {}), 2000)
    signal.addEventListener('abort', () => {
      this.record = null
      clearInterval(timer)
    })
  }

  async draw(record) {
    this.record = record
    if (!record) return show(this.element, h('p', { class: 'empty' }, t('select')))
    const text = await this.page.payloads.load(record)
    const shown = text === null ? null : readable(text)
    const report = text === null ? null : await check(shown, record.pushType)
    if (this.record !== record) return
    show(this.element, this.head(record), this.timeline(record), text === null
      ? h('p', { class: 'quiet' }, t('payloadGone'))
      : [banner(record, text), payload(shown, report), shown === text ? null : raw(text), this.forms(record, text)], facts(record, this.page))
    this.journal = null
    await this.readJournal().catch(() => {})
  }

  /** Adds to the timeline what the person did with the notification, if an agent drives its device. */
  async readJournal() {
    const { record, signal } = this
    if (!record?.token || this.isReading) return
    this.isReading = true
    try {
      await this.readEntries(record, { signal, isQuiet: true })
    } finally {
      this.isReading = false
    }
  }

  async readEntries(record, options) {
    // Whether an agent drives the device is asked again only if the agents have changed.
    if (this.journal?.record !== record || this.journal.agents !== this.page.log.agents) {
      const { agents } = this.page.log
      const place = agents.length ? await this.place(record, options) : null
      const known = this.journal?.record === record ? this.journal.next : null
      this.journal = { record, agents, place, next: known }
    }
    const { journal } = this
    if (!journal.place) return
    const read = query => get(`${journal.place.base}/journal?${query}`, { ...options, agent: journal.place.agent })
    journal.next ??= Math.max(0, (await read(`after=${Number.MAX_SAFE_INTEGER}`)).next - 5000)
    for (;;) {
      const { entries, next } = await read(`after=${journal.next}&limit=1000`)
      if (this.record !== record || next === journal.next) return
      journal.next = next
      for (const { at, type, notification } of entries) {
        const state = { notificationOpened: 'opened', notificationDismissed: 'dismissed' }[type]
        if (state && notification === record.id) this.steps.append(this.step({ at, state }, record.history?.at(-1)))
      }
    }
  }

  /** Returns where the device is that has the token of a notification, or whose app has it. */
  async place({ token }, options) {
    const places = await agentDevices(this.page, options)
    const registration = this.page.registrations.get(token)
    return places.get(token) ?? (registration ? homeOf(registration, places, options) : null)
  }

  head(record) {
    return h('header', {},
      h('h1', {}, h('span', { class: `state ${record.state}` }, record.state), ' ', foreign(this.page.names.get(record.token) ?? record.token)),
      record.message ? h('p', { class: 'bad' }, record.reason, ': ', foreign(record.message)) : null,
      h('p', { class: 'actions' },
        button(t('resend'), () => this.resend(record)),
        record.token ? button(t('fault'), () => fault(record.token)) : null,
        record.token ? h('a', { href: `#devices/${encodeURIComponent(record.token)}` }, t('device')) : null))
  }

  timeline(record) {
    const first = record.history?.[0]?.at ?? 0
    this.steps = h('ol', { class: 'timeline' }, (record.history ?? []).map((step, index, all) => this.step(step, all[index - 1])))
    return h('section', {}, h('h2', {}, t('timeline')), this.steps,
      isFinal(record.state) ? h('p', { class: 'quiet' }, `${t('total')}: ${duration((record.history?.at(-1)?.at ?? first) - first)}`) : null)
  }

  step({ at, state }, before) {
    return h('li', {}, h('span', { class: 'time' }, timeOfDay(at)), h('span', { class: `state ${state}` }, state),
      h('span', { class: 'quiet' }, before ? `+${duration(at - before.at)}` : ''))
  }

  forms(record, text) {
    const copyText = copyButton('JSON', text)
    if (!isJSON(text)) return h('p', { class: 'actions' }, copyText)
    const command = curl('/v1/batches', asItem(record, text))
    return h('p', { class: 'actions' }, copyButton('curl', command), copyText,
      button('.apns', () => download(`${record.id}.apns`, apns(record, text))))
  }

  async resend(record) {
    const text = await this.page.payloads.load(record)
    if (text === null || !isJSON(text)) return announce(t('payloadGone'))
    const receipt = await (await request('POST', '/v1/batches?results=all', { body: asItem(record, text), type: 'application/x-ndjson' })).json()
    const { reason, message } = receipt.results?.[0] ?? {}
    announce(reason ? visible(`${reason}: ${message}`) : t('sent'))
  }
}

function copyButton(label, value) {
  return button(`${t('copy')}: ${label}`, async () => {
    await navigator.clipboard.writeText(value)
    announce(t('copied'))
  })
}

/** Whether a payload can be sent; one that was refused may be anything. */
function isJSON(text) {
  try { JSON.parse(text) } catch { return false }
  return true
}

/**
 * Returns the item of a batch that sends a notification again, with its payload as it was sent.
 *
 * Its identifier would make it a repetition, and an expiration that is over would drop it.
 */
function asItem(record, text) {
  const { token, topic, pushType, priority, collapseID } = record
  const expiration = record.expiration && record.expiration * 1000 < Date.now() ? undefined : record.expiration
  const item = JSON.stringify({ token, topic, pushType, priority, expiration, collapseID })
  return `${item.slice(0, -1)},"payload":${oneLine(text)}}`
}

function apns(record, text) {
  return JSON.stringify({ 'Simulator Target Bundle': record.topic, ...JSON.parse(text) }, null, 2) + '\n'
}

/** Returns what APNs and devices make of a payload. */
export async function check(text, pushType) {
  try {
    const response = await request('POST', `/v1/payloads/check?pushType=${encodeURIComponent(pushType ?? 'alert')}`, { body: text })
    return await response.json()
  } catch (error) {
    if (error instanceof Refusal) {
      return { size: text.length, limit: 4096, findings: [{ line: error.line ?? 1, column: 1, severity: 'error', message: error.message }] }
    }
    throw error
  }
}

/** Draws the alert as a banner on a lock screen. */
function banner(record, text) {
  const { title, subtitle, body, badge } = alertOf(text)
  if (!title && !body) return null
  return h('section', {}, h('h2', {}, t('banner')), h('div', { class: 'lock' }, h('div', { class: 'banner' },
    h('div', { class: 'app' }, visible(record.topic), badge === undefined ? null : h('span', { class: 'badge' }, badge)),
    title ? h('strong', {}, foreign(title)) : null, subtitle ? h('div', {}, foreign(subtitle)) : null,
    body ? h('div', { class: 'body' }, foreign(body)) : null)))
}

/** Returns JSON with a line for each member; duplicates, numbers and invalid JSON stay as they were sent. */
function readable(text) {
  if (text.includes('\n')) return text
  if (!isJSON(text)) return text
  let [result, depth] = ['', 0]
  const line = () => `\n${'  '.repeat(depth)}`
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (part === '{' || part === '[') {
      depth += 1
      result += part + line()
    } else if (part === '}' || part === ']') {
      depth -= 1
      result += line() + part
    } else if (part === ',') {
      result += part + line()
    } else {
      result += part === ':' ? ': ' : part
    }
  }
  return result
}

/** Draws a payload with the findings at their lines. */
export function payload(text, report) {
  const findings = report?.findings ?? []
  const lines = text.split('\n').slice(0, 2000)
  return h('section', {}, h('h2', {}, t('payload')),
    h('p', { class: 'quiet' }, `${t('size')}: ${number(report?.size ?? text.length)} / ${number(report?.limit ?? 4096)}`, ' · ',
      findings.length ? `${t('findings')}: ${findings.length}` : t('fine')),
    h('pre', { class: 'code', tabindex: '0' }, lines.map((line, index) => {
      const here = findings.filter(finding => finding.line === index + 1)
      return [h('span', { class: here.length ? 'line found' : 'line' }, visible(line) || ' '),
        here.map(finding => h('span', { class: `finding ${finding.severity}`, lang: 'en' }, '^'.padStart(Math.min(finding.column, 100)), ` ${finding.severity}: `, foreign(finding.message, 'span')))]
    })))
}

/** Returns the payload as it was sent, folded. */
function raw(text) {
  return h('details', {}, h('summary', {}, t('raw')), h('pre', { class: 'code', tabindex: '0' }, visible(text)))
}

function facts(record, page) {
  const purpose = page.registrations.get(record.token)?.purpose
  const rows = [
    ['id', record.id], ['apns-topic', record.topic], ['apns-push-type', record.pushType], ['apns-priority', record.priority],
    ['apns-expiration', record.expiration], ['apns-collapse-id', record.collapseID], ['token', record.token], [t('purpose'), purpose && purposeText(purpose)], ['batch', record.batch],
    ['traceparent', record.traceparent], ['attempts', record.attempts], ['sequence', record.sequence],
    ...(record.findings ?? []).map(finding => [`${finding.severity ?? 'warning'} ${finding.code}`, finding.message]),
  ]
  return h('section', {}, h('h2', {}, t('details')), h('dl', {}, rows.filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [h('dt', {}, name), h('dd', {}, foreign(value))])))
}

/** Asks how the next request of a provider to a device fails. */
function fault(token) {
  const reasons = ['Unregistered', 'BadDeviceToken', 'TooManyRequests', 'InternalServerError', 'ServiceUnavailable', 'ExpiredProviderToken']
  let reason = reasons[0]
  const box = dialog(t('fault'), h('form', {
    method: 'dialog',
    submit: attempt(async () => {
      await send('POST', '/v1/faults', { token, kind: 'respond', reason, times: 1 })
      announce(t('faultAdded'))
    }),
  }, field('reason', choice(reasons.map(name => [name, name]), reason, name => { reason = name })),
  h('p', { class: 'actions' }, h('button', { class: 'main' }, t('continue')), button(t('close'), () => box.close()))))
}
