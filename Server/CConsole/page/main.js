// The frame of the page: the views, the connection, the namespace and the language.
import { h, show, button, choice } from './dom.js'
import { settings, get } from './api.js'
import { t, language, setLanguage, languageNames } from './words.js'
import { Log, Payloads } from './log.js'
import { tokenNames } from './tokens.js'

const views = {
  notifications: () => import('./notifications.js'),
  devices: () => import('./devices.js'),
  gateway: () => import('./gateway.js'),
  runs: () => import('./runs.js'),
  associations: () => import('./associations.js'),
}

/** What all views share. */
const page = { log: new Log(), payloads: new Payloads(), names: new Map(), registrations: new Map(), go: hash => { location.hash = hash } }

let follower = null
let leave = null

function start() {
  follower?.abort()
  follower = new AbortController()
  page.log.clear()
  page.log.run(follower.signal).catch(error => { document.title = `Waypost – ${error.message}` })
}

/** Reads the registrations and their names, by their tokens. */
async function readNames() {
  const { namespace } = settings
  let after = ''
  for (let pages = 0; pages < 20; pages += 1) {
    const list = await get(`/v1/devices?limit=1000${after}`)
    // The person has gone on to another namespace.
    if (settings.namespace !== namespace) return
    for (const { device } of list.devices) page.registrations.set(device.token, device)
    if (!list.next) break
    after = `&after=${encodeURIComponent(list.next)}`
  }
  for (const [token, name] of tokenNames([...page.registrations.values()])) page.names.set(token, name)
}

let drawnLanguage = null

/** Brings the header up to date; it is made again only for another language, so that the focus stays. */
function drawFrame() {
  if (drawnLanguage !== language) makeFrame()
  const current = location.hash.slice(1).split('/')[0] || 'notifications'
  for (const link of document.querySelectorAll('#views a')) {
    if (link.hash === `#${current}`) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  const connection = document.getElementById('connection')
  connection.className = page.log.connected ? 'good' : 'bad'
  connection.textContent = t(page.log.connected ? 'connected' : 'disconnected')
}

function makeFrame() {
  drawnLanguage = language
  show(document.getElementById('views'), Object.keys(views).map(name => h('a', { href: `#${name}` }, t(name))))
  const namespace = h('input', {
    value: settings.namespace, placeholder: 'default', 'aria-label': t('namespace'), size: '10', spellcheck: 'false',
    change: event => {
      settings.namespace = event.target.value.trim()
      page.names.clear()
      page.registrations.clear()
      page.payloads.clear()
      start()
      // What was chosen is of the other namespace.
      if (location.hash.includes('/')) page.go(location.hash.slice(1).split('/')[0])
      else draw()
    },
  })
  const languages = choice(languageNames, language, code => {
    setLanguage(code)
    draw()
    document.querySelector('#tools select').focus()
  }, { 'aria-label': t('language') })
  show(document.getElementById('tools'), h('span', { id: 'connection' }), namespace, languages)
  document.querySelector('.skip').textContent = t('skip')
}

async function draw() {
  drawFrame()
  leave?.abort()
  const own = new AbortController()
  leave = own
  const [name, ...rest] = location.hash.slice(1).split('/').map(decodeURIComponent)
  const view = await (views[name] ?? views.notifications)()
  if (own.signal.aborted) return
  const target = document.getElementById('view')
  show(target)
  document.title = `${t(views[name] ? name : 'notifications')} – Waypost`
  try {
    await view.draw(target, page, rest, own.signal)
  } catch (error) {
    // The person has gone on to another view.
    if (own.signal.aborted) return
    show(target, h('p', { class: 'bad', role: 'alert' }, error.message), button(t('continue'), draw))
  }
}

let wasConnected = null
page.log.listen(() => {
  if (page.log.connected === wasConnected) return
  wasConnected = page.log.connected
  drawFrame()
  if (wasConnected) readNames().then(() => page.log.changed()).catch(() => {})
})

// Names of devices that registered since are asked for when they first appear.
let unknown = 0
page.log.listen(() => {
  const missing = page.log.records.slice(-200).filter(record => record.token && !page.names.has(record.token)).length
  if (missing && Date.now() - unknown > 5000) {
    unknown = Date.now()
    readNames().then(() => page.log.changed()).catch(() => {})
  }
})

addEventListener('hashchange', draw)
document.querySelector('.skip').addEventListener('click', event => {
  event.preventDefault()
  document.getElementById('view').focus()
})
start()
draw()
