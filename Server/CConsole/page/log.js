// The delivery log as the page has it: the newest notifications, kept up to date by one event stream.
import { get, follow, request, Refusal } from './api.js'

/** The most notifications that the page keeps; older ones are in the log. */
export const capacity = 20000

const final = new Set(['acknowledged', 'collapsed', 'expired', 'dropped', 'unregistered', 'rejected'])

/** Whether a notification can still change. */
export const isFinal = state => final.has(state)

export class Log {
  constructor() {
    this.records = []          // in the order of their sequences
    this.bySequence = new Map()
    this.agents = []
    this.runs = []
    this.connected = false
    this.listeners = new Set()
    this.revision = 0
    this.epoch = 0             // changes when the log begins again
    this.scheduled = false
  }

  /** Calls a function after changes, at most five times a second; returns what ends that. */
  listen(listener) {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  changed() {
    this.revision += 1
    if (this.scheduled) return
    this.scheduled = true
    setTimeout(() => {
      this.scheduled = false
      for (const listener of [...this.listeners]) listener()
    }, 200)
  }

  take(record) {
    const known = this.bySequence.get(record.sequence)
    if (known) {
      Object.assign(known, record)
    } else {
      this.bySequence.set(record.sequence, record)
      const last = this.records.at(-1)
      if (!last || last.sequence < record.sequence) {
        this.records.push(record)
      } else {
        let [low, high] = [0, this.records.length]
        while (low < high) {
          const middle = (low + high) >> 1
          if (this.records[middle].sequence < record.sequence) low = middle + 1
          else high = middle
        }
        this.records.splice(low, 0, record)
      }
      // Removed in groups, because the array moves for each removal.
      if (this.records.length > capacity + 1000) {
        for (const old of this.records.splice(0, 1000)) this.bySequence.delete(old.sequence)
      }
    }
    this.changed()
  }

  clear() {
    this.records = []
    this.agents = []
    this.runs = []
    this.bySequence.clear()
    this.epoch += 1
    this.changed()
  }

  /** Returns where a new stream must begin so that no notification and no change is missed. */
  get resumption() {
    const open = this.records.find(record => !isFinal(record.state))
    return open ? open.sequence - 1 : this.records.at(-1)?.sequence ?? 0
  }

  /** Follows the gateway until the signal. */
  async run(signal) {
    await follow({
      signal,
      start: async () => {
        const newest = (await get('/v1/notifications?limit=1000', { signal })).notifications
        // A store that begins again, for example in memory, knows nothing of what the page has.
        const last = this.records.at(-1)
        const place = newest.findIndex(record => record.sequence === last?.sequence)
        const isSame = !last || place >= 0 && newest[place].id === last.id && newest[place].batch === last.batch
          || place < 0 && (newest[0]?.sequence ?? 0) > last.sequence
        if (!isSame) this.clear()
        if (!this.records.length) newest.forEach(record => this.take(record))
        return `/v1/activity?after=${this.resumption}`
      },
      state: connected => {
        this.connected = connected
        this.changed()
      },
      handle: (type, value) => {
        if (type === 'notification') this.take(value)
        if (type === 'agents' || type === 'runs') {
          this[type] = value[type]
          this.changed()
        }
        // The list comes once, and again if the page has fallen far behind; then each change.
        if (type === 'agentLinked' || type === 'agentLeft') {
          const others = this.agents.filter(agent => agent.id !== value.id)
          this.agents = type === 'agentLinked' ? [...others, value] : others
          this.changed()
        }
        if (type === 'end' && value.reason === 'reset') this.clear()
      },
    })
  }
}

/** The payloads of notifications, asked for when they are shown, and kept for a while. */
export class Payloads {
  constructor() {
    this.known = new Map()
    this.waiting = []
    this.active = 0
  }

  /** Returns the payload's text, `null` if it is not known any more, or `undefined` while it is not known yet. */
  peek(record) {
    return this.known.get(record.id)
  }

  clear() {
    this.known.clear()
    this.waiting = []
  }

  async load(record) {
    if (this.known.has(record.id)) return this.known.get(record.id)
    if (!record.id) return null
    let text = null
    try {
      text = await (await request('GET', `/v1/notifications/${encodeURIComponent(record.id)}/payload`)).text()
    } catch (error) {
      // Any other failure says nothing about the payload.
      if (!(error instanceof Refusal) || error.status !== 404) return null
    }
    if (this.known.size > 2000) this.known.delete(this.known.keys().next().value)
    this.known.set(record.id, text)
    return text
  }

  /** Loads payloads, four at a time; those that were asked for before and did not start are forgotten. */
  want(records, done) {
    this.waiting = records.filter(record => record.id && !this.known.has(record.id))
    this.done = done
    while (this.active < 4 && this.waiting.length) this.next()
  }

  async next() {
    const record = this.waiting.shift()
    if (!record) return
    this.active += 1
    await this.load(record)
    this.active -= 1
    this.done?.(record)
    this.next()
  }
}

/** Returns the words of an alert: title, subtitle, body. */
export function alertOf(text) {
  try {
    const payload = JSON.parse(text)
    const aps = payload?.aps
    // The events of Messages are Waypost's own.
    if (!aps && typeof payload?.type === 'string') return { kind: payload.type }
    const alert = aps?.alert
    if (typeof alert === 'string') return { body: alert, badge: aps.badge }
    return {
      title: alert?.title ?? alert?.['title-loc-key'],
      subtitle: alert?.subtitle ?? alert?.['subtitle-loc-key'],
      body: alert?.body ?? alert?.['loc-key'],
      badge: aps?.badge,
    }
  } catch {
    return {}
  }
}

