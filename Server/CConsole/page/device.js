// The screen of a device that an agent drives: scenes, notifications, shelves and messages, with the reason of everything.
import { h, show, button, foreign, visible, soon, announce } from './dom.js'
import { get, send, request, follow, Refusal } from './api.js'
import { t, timeOfDay } from './words.js'
import { drawMessages, drawPresentation, drawSharing, drawShelves } from './sharing.js'
import { callbackTables, gates, notificationGates, sceneTrace, why } from './reasons.js'
import { purposeText } from './tokens.js'

/** Draws a device, and keeps it up to date until the signal. */
export async function drawDevice(target, place, signal) {
  const device = new Device(place, signal)
  show(target, h('h1', {}, foreign(place.name)), device.status, device.tryIt(), device.element)
  await device.refresh()
  follow({
    signal, agent: place.agent,
    start: () => `${place.base}/events`,
    handle: () => device.soon(),
    state: connected => connected && device.soon(),
  }).catch(() => {})
}

/** Returns the controls of a part; one has the same name again if it is for the same item, and does the same. */
function controls(part) {
  return new Map([...part.querySelectorAll('button, input, summary')].map(control => {
    const words = control.getAttribute('aria-label') ?? control.closest('label, button, summary')?.textContent
    return [`${control.closest('[data-key]')?.dataset.key} ${words}`, control]
  }))
}

class Device {
  constructor(place, signal) {
    this.place = place
    this.signal = signal
    this.status = h('p', { role: 'status', lang: 'en' })
    this.element = h('div', {})
    this.soon = soon(150, () => this.refresh())
    this.parts = new Map()
    this.latest = 0
    this.pictures = new Map()
  }

  get(path) {
    return get(`${this.place.base}/${path}`, { signal: this.signal, agent: this.place.agent })
  }

  /** Performs an action of the person, and shows the answer. */
  async act(method, path, value) {
    try {
      const answer = await send(method, `${this.place.base}/${path}`, value, { agent: this.place.agent })
      this.tell(answer)
      await this.refresh()
      return answer
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      show(this.status, h('span', { class: 'bad' }, foreign(error.message)))
    }
  }

  tell(answer) {
    const [opened, effects] = [answer?.opened ?? answer, answer?.effects ?? []]
    const decision = opened?.decision
    const find = type => effects.find(effect => effect.type === type)
    const offer = find('automaticSharingConsidered')?.offer
    const words = answer?.explanation ?? decision?.explanation ?? find('eventIgnored')?.ignored.explanation ?? offer?.explanation
    show(this.status, words ? foreign(words) : '', decision?.trace ? why(async () => [sceneTrace(decision), await this.callbacks(opened)]) : null)
    if (words) announce(words)
  }

  /** Draws which code of its app runs for a scene that opened, if the agent says for what it opened. */
  async callbacks({ app, cause, initialState: state }) {
    if (!cause || !state) return null
    const path = `apps/${encodeURIComponent(app)}/callbacks?${new URLSearchParams({ cause, state })}`
    return this.get(path).then(callbackTables, error => h('p', { class: 'bad' }, foreign(error.message)))
  }

  /** Applies an event, and shows the device's reaction. */
  happen(type, fields) {
    return this.act('POST', 'events', { type, ...fields })
  }

  async refresh() {
    this.latest += 1
    const own = this.latest
    const [descriptions, notifications, presented, ...social] = await Promise.all(
      ['scenes', 'notifications', 'presentation', 'sharing', 'conversations', 'messages', 'contacts'].map(path => this.get(path)))
    const [tokens, ...shelves] = await Promise.all([
      // An older agent has no tokens of apps.
      this.get('tokens').catch(() => []),
      ...descriptions.map(app => this.get(`apps/${encodeURIComponent(app.bundleIdentifier)}/shelf`).catch(() => null)),
    ])
    // A later request knows more.
    if (this.signal.aborted || own !== this.latest) return
    this.part('presentation', [presented, social], () => drawPresentation(this, presented, ...social))
    this.part('scenes', [descriptions], this.scenes)
    this.part('notifications', [notifications], this.notifications)
    this.part('tokens', [tokens], this.tokens)
    this.part('shelves', [descriptions, shelves, social], (...values) => drawShelves(this, ...values))
    this.part('messages', social, (...values) => drawMessages(this, ...values))
    this.part('sharing', [descriptions, ...social], (...values) => drawSharing(this, ...values))
  }

  /** Draws a part again if what it shows has changed; the focus, open reasons and what is typed stay. */
  part(name, values, drawPart) {
    const version = JSON.stringify(values)
    const part = this.parts.get(name) ?? h('div', { 'data-part': name })
    if (!this.parts.has(name)) {
      this.parts.set(name, part)
      this.element.append(part)
    }
    if (part.version === version) return
    part.version = version
    const [before, focused] = [controls(part), document.activeElement]
    show(part, drawPart.call(this, ...values))
    const after = controls(part)
    for (const [name, control] of before) {
      const same = after.get(name)
      if (!same) continue
      if (control.matches('.why[aria-expanded="true"]')) same.click()
      if (control.matches('input:not([type="checkbox"])')) same.value = control.value
      if (control.matches('summary')) same.parentElement.open = control.parentElement.open
      if (control === focused) same.focus()
    }
  }

  scenes(apps) {
    return h('section', {}, h('h2', {}, t('scenes')), apps.map(app => [
      h('h3', {}, foreign(app.displayName ?? app.bundleIdentifier), ' ', h('small', {}, visible(app.bundleIdentifier))),
      h('div', { class: 'windows' }, (app.scenes ?? []).map(scene => this.scene(app, scene))),
    ]))
  }

  scene(app, scene) {
    const path = `apps/${encodeURIComponent(app.bundleIdentifier)}/scenes/${encodeURIComponent(scene.persistentIdentifier)}`
    const conditions = scene.activationConditions ?? {}
    return h('article', { class: `window ${scene.state}`, 'data-key': path },
      h('header', {}, h('strong', {}, foreign(scene.title ?? scene.persistentIdentifier)), h('span', { class: 'quiet' }, scene.state)),
      h('code', {}, visible(scene.persistentIdentifier)),
      h('details', {}, h('summary', {}, t('conditions')), h('dl', {},
        [['can', conditions.canActivateForTargetContentIdentifierPredicate], ['prefers', conditions.prefersToActivateForTargetContentIdentifierPredicate]]
          .map(([name, text]) => [h('dt', {}, name), h('dd', {}, h('code', {}, visible(text ?? '–')))]))),
      h('p', { class: 'actions' },
        button(t('activate'), () => this.act('POST', `${path}/activate`, {})),
        scene.state.startsWith('foreground') ? button(t('background'), () => this.act('POST', `${path}/background`, {})) : null))
  }

  notifications(list) {
    return h('section', {}, h('h2', {}, t('notifications')), h('div', { class: 'lock' }, list.length ? list.map(item => h('article', { class: 'banner', 'data-key': item.id },
      h('div', { class: 'app' }, visible(item.topic), h('span', {}, timeOfDay(item.receivedAt))),
      h('strong', {}, foreign(item.title ?? item.targetContentIdentifier ?? item.id)),
      item.subtitle ? h('span', {}, foreign(item.subtitle)) : null,
      item.body && item.body !== item.title ? h('div', { class: 'body' }, foreign(item.body)) : null,
      item.presentation && item.presentation !== 'immediate' ? h('small', {}, item.presentation) : null,
      item.targetContentIdentifier ? h('code', {}, visible(item.targetContentIdentifier)) : null,
      h('p', { class: 'actions' },
        button(t('open'), () => this.act('POST', `notifications/${encodeURIComponent(item.id)}/open`, {})),
        button(t('dismiss'), () => this.act('DELETE', `notifications/${encodeURIComponent(item.id)}`)),
        why(async () => [
          notificationGates(await this.get(`notifications/${encodeURIComponent(item.id)}/explain`)),
          sceneTrace(await this.explainScene(item.topic, item.targetContentIdentifier)),
        ])))) : h('p', {}, t('none'))))
  }

  /** Draws the tokens of the apps that have tokens of their own, each with a link to its registration. */
  tokens(list) {
    return list.length ? h('section', {}, h('h2', {}, t('tokens')), h('dl', {}, list.map(({ purpose, token }) => [
      h('dt', {}, foreign(purposeText(purpose))),
      h('dd', {}, token ? h('a', { href: `#devices/${encodeURIComponent(token)}` }, visible(token)) : t('notAssigned')),
    ]))) : null
  }

  explainScene(app, identifier) {
    return send('POST', `${this.place.base}/apps/${encodeURIComponent(app)}/explain`, identifier ? { targetContentIdentifier: identifier } : {}, { agent: this.place.agent })
  }

  /** Returns the gates of a link for each app. */
  async linkGates(url) {
    const apps = await this.get('apps')
    const answers = await Promise.all(apps.map(app => this.get(`apps/${encodeURIComponent(app.app)}/explain?url=${encodeURIComponent(url)}`).catch(() => null)))
    return answers.filter(Boolean).map(gates)
  }

  /** Returns a picture that the agent draws; it is asked for again only if what it shows has changed. */
  picture(path, version, alt = '') {
    const image = h('img', { alt: visible(alt) })
    const known = this.pictures.get(path)
    if (known?.version === version) {
      image.src = known.url
      return image
    }
    request('GET', `${this.place.base}/${path}`, { signal: this.signal, agent: this.place.agent }).then(async response => {
      const url = URL.createObjectURL(new Blob([await response.text()], { type: 'image/svg+xml' }))
      if (known) URL.revokeObjectURL(known.url)
      this.pictures.set(path, { version, url })
      image.src = url
    }).catch(() => image.remove())
    return image
  }

  /** A form that asks about an identifier or a URL without opening anything. */
  tryIt() {
    const input = h('input', { 'aria-label': t('tryIdentifier'), placeholder: t('tryIdentifier'), spellcheck: 'false', autocomplete: 'off' })
    const answer = h('div', { role: 'status' })
    const ask = async event => {
      event.preventDefault()
      const text = input.value.trim()
      if (!text) return show(answer)
      try {
        const apps = await this.get('apps')
        const decisions = await Promise.all(apps.map(async app => [app, await this.explainScene(app.app, text)]))
        const links = /^https?:/.test(text) ? await this.linkGates(text) : []
        show(answer, h('p', { class: 'quiet' }, t('tryHint')), decisions.map(([app, decision]) =>
          h('article', {}, h('h3', {}, foreign(app.displayName ?? app.app)), h('p', { lang: 'en' }, foreign(decision.explanation)), sceneTrace(decision))), links)
      } catch (error) {
        show(answer, h('p', { class: 'bad' }, foreign(error.message)))
      }
    }
    return h('section', {}, h('form', { class: 'bar', submit: ask }, input, h('button', {}, t('why'))), answer)
  }
}
