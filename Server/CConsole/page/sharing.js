// Messages, Shared with You, and what the person lets apps see, as parts of a device's screen.
import { h, button, foreign, visible } from './dom.js'
import { t, number, timeOfDay } from './words.js'
import { why } from './reasons.js'

/** Draws the conversations; the person types as one of the other participants, or as themselves. */
export function drawMessages(device, _, conversations, messages, contacts) {
  return h('section', {}, h('h2', {}, t('messages')), conversations.map(conversation => h('article', { class: 'conversation', 'data-key': conversation.id },
    h('h3', {}, foreign(titleOf(conversation, contacts))),
    h('ol', { class: 'bubbles' }, messages.filter(message => message.conversation === conversation.id).map(message => bubble(device, message, contacts))),
    typing(t('type'), text => device.happen('messageReceived', {
      message: { id: crypto.randomUUID(), conversation: conversation.id, sender: conversation.participants?.[0], text },
    })))))
}

const titleOf = (conversation, contacts) => conversation.name ?? (conversation.participants ?? []).map(handle => nameOf(handle, contacts)).join(', ')

function nameOf(handle, contacts) {
  const contact = contacts.find(one => one.handles?.includes(handle))
  return contact ? [contact.givenName, contact.familyName].filter(Boolean).join(' ') : handle
}

function typing(label, send) {
  const input = h('input', { 'aria-label': label, placeholder: label, autocomplete: 'off' })
  return h('form', {
    class: 'bar',
    submit: event => {
      event.preventDefault()
      const text = input.value
      if (!text) return
      input.value = ''
      input.blur()
      send(text)
    },
  }, input, h('button', {}, t('send')))
}

function bubble(device, message, contacts) {
  const links = message.text.match(/https?:\/\/[^\s]+/g) ?? []
  return h('li', { class: message.sender ? 'bubble' : 'bubble mine', 'data-key': message.id },
    h('small', {}, message.sender ? foreign(nameOf(message.sender, contacts)) : '', ' ', message.sentAt ? timeOfDay(message.sentAt) : ''),
    h('p', {}, foreign(message.text)),
    links.length ? h('p', { class: 'actions' },
      button(t('pin'), () => device.happen('linkPinned', { message: message.id })),
      button(t('unpin'), () => device.happen('linkUnpinned', { message: message.id })),
      button(t('open'), () => device.act('POST', 'open', { url: links[0] })),
      why(async () => device.linkGates(links[0]))) : null)
}

/** Draws the shelf of each app, with attribution views that can be tapped. */
export function drawShelves(device, apps, shelves, social) {
  const people = JSON.stringify(social)
  return h('section', {}, h('h2', {}, t('shelves')), apps.map((app, index) => {
    const shelf = shelves[index]
    if (!shelf?.total) return null
    const path = `apps/${encodeURIComponent(app.bundleIdentifier)}`
    return h('article', {}, h('h3', {}, foreign(app.displayName ?? app.bundleIdentifier)),
      // The picture shows who shared the items.
      device.picture(`${path}/shelf.svg`, JSON.stringify(shelf) + people),
      // The picture has five items before Show More, and no stale ones.
      shelf.total > Math.min(5, shelf.total - (shelf.stale ?? 0)) && !shelf.showsAll ? button(t('showMore'), () => device.happen('showMoreTapped', { app: app.bundleIdentifier })) : null,
      h('p', { class: 'quiet' }, foreign(shelf.explanation)),
      h('ul', { class: 'links' }, shelf.items.map(item => link(device, app.bundleIdentifier, path, item, people))))
  }))
}

function link(device, app, path, { highlight: { url }, rank }, people) {
  const picture = device.picture(`${path}/attribution.svg?url=${encodeURIComponent(url)}`, people, t('attribution'))
  const items = h('span', {})
  const menu = button(t('menu'), async () => {
    const { sections, explanation } = await device.get(`${path}/menu?url=${encodeURIComponent(url)}`)
    items.title = explanation
    items.replaceChildren(...sections.map(section => h('span', { class: 'section' }, section.map(item =>
      button(visible(item.title), () => choose(device, path, item.id, url))))))
  })
  return h('li', { 'data-key': `${app} ${url}` }, foreign(url), h('p', { class: 'actions' },
    h('button', { type: 'button', class: 'picture', click: () => tap(device, app, url) }, picture), menu, items,
    why(() => h('table', {}, h('caption', {}, `${t('rank')}: ${number(rank.score)} ${t('points')}`), h('tbody', {}, rank.terms.map(term =>
      h('tr', {}, h('th', { scope: 'row' }, term.signal), h('td', { class: 'number' }, number(term.points)), h('td', {}, foreign(term.explanation)))))))))
}

async function tap(device, app, url) {
  const view = await viewOf(device, app, url)
  if (view) await device.happen('attributionTapped', { app, view: view.view })
}

/** Chooses an item in the context menu of a link's content in an app. */
async function choose(device, path, item, url) {
  const answer = await device.act('POST', `${path}/menu/${encodeURIComponent(item)}?url=${encodeURIComponent(url)}`, {})
  if (answer && item === 'remove') device.status.append(' ', button(t('undo'), () => device.happen('linkRestored', { url })))
}

/** Returns the attribution view of a link: one that the app requested, or one that the page requests for it. */
async function viewOf(device, app, url) {
  const requested = await device.get('attributions')
  const found = requested.find(one => one.attribution.app === app && one.url === url)
  if (found) return found.attribution
  const answer = await device.happen('attributionRequested', { app, view: handle(), url, preferences: {} })
  return answer?.effects?.find(effect => effect.type === 'attributionProvided')?.attribution
}

/** Returns 128 random bits in base 32, as the handles of views are. */
function handle() {
  return [...crypto.getRandomValues(new Uint8Array(26))].map(byte => 'abcdefghijklmnopqrstuvwxyz234567'[byte & 31]).join('')
}

/** Returns a title of the device without its isolates; the page isolates it itself. */
const plain = title => title.replace(/[\u2068\u2069]/g, '')

/** Draws what the device shows over an app since an attribution view was tapped, and the open offers of automatic sharing. */
export function drawPresentation(device, presented, _, conversations, messages, contacts) {
  const offers = presented.filter(effect => effect.offer).map(({ offer }) =>
    h('section', { 'data-key': `offer ${offer.app}` }, h('p', { lang: 'en' }, foreign(offer.explanation)), h('p', { class: 'actions' }, answers(device, offer))))
  return [drawScreen(device, presented.find(effect => !effect.offer) ?? {}, messages, contacts), offers]
}

/** Returns the buttons that answer an offer of automatic sharing. */
function answers(device, offer) {
  return [['accepted', 'accept'], ['declined', 'decline'], ['ignored', 'ignore']].map(([value, word]) => [' ', button(t(word), () =>
    device.happen('automaticSharingOfferAnswered', { app: offer.app, answer: value }))])
}

function drawScreen(device, { conversation, disambiguation }, messages, contacts) {
  const close = button(t('close'), () => device.happen('presentationDismissed'))
  if (disambiguation) {
    return h('section', { class: 'over', 'aria-label': visible(plain(disambiguation.title)) }, h('h2', {}, foreign(plain(disambiguation.title))),
      h('p', { class: 'actions' }, disambiguation.choices.map(choice =>
        button(visible(plain(choice.title)), () => device.happen('conversationChosen', { conversation: choice.conversation }))), close))
  }
  if (!conversation) return null
  return h('section', { class: 'over', 'aria-label': visible(plain(conversation.title)) },
    h('h2', {}, foreign(plain(conversation.title)), ' ', close), h('p', { class: 'quiet' }, visible(conversation.app), ' · ', foreign(conversation.url)),
    h('ol', { class: 'bubbles' }, messages.filter(message => message.conversation === conversation.conversation).map(message =>
      h('li', { class: message.sender ? 'bubble' : 'bubble mine' }, h('small', {}, message.sender ? foreign(nameOf(message.sender, contacts)) : ''), h('p', {}, foreign(message.text))))),
    typing(t('reply'), text => device.happen('replySent', {
      message: { id: crypto.randomUUID(), conversation: conversation.conversation, text },
    })))
}

/** Draws what the person lets apps see. */
export function drawSharing(device, apps, choices, conversations, _, contacts) {
  const isOff = scope => choices.off.some(one => JSON.stringify(one) === JSON.stringify(scope))
  const sharing = (label, scope) => toggle(label, !isOff(scope), isOn => device.happen('sharingSet', { ...scope, isOn }))
  return h('section', {}, h('h2', {}, t('sharing')), h('ul', { class: 'toggles' },
    h('li', {}, sharing(t('everywhere'), { everywhere: true })),
    apps.map(({ bundleIdentifier: app, displayName }) => h('li', {}, sharing(foreign(displayName ?? app), { app }),
      toggle([t('automatic'), ': ', foreign(displayName ?? app)], choices.automatic.includes(app), isOn => device.happen('automaticSharingSet', { app, isOn })))),
    conversations.map(conversation => h('li', {}, sharing(foreign(titleOf(conversation, contacts)), { conversation: conversation.id })))))
}

function toggle(label, isOn, change) {
  const box = h('input', {
    type: 'checkbox', checked: isOn,
    // A change that the device refuses changes nothing.
    change: async () => { if (!await change(box.checked)) box.checked = isOn },
  })
  return h('label', { class: 'toggle' }, box, label)
}
