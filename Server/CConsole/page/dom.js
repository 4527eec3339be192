// Builds elements. A text only ever becomes a text node, so that no name, title or payload can become markup.

/** Returns an element: attributes that are functions handle events, `true` is an empty attribute. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children)
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (name === 'value') element.value = value
    else element.setAttribute(name, value === true ? '' : value)
  }
  append(element, children)
  return element
}

/** Appends elements and texts; lists are flattened, and nothing is appended for null. */
export function append(element, children) {
  for (const child of children.flat(9)) {
    if (child === null || child === undefined || child === false) continue
    element.append(child instanceof Node ? child : String(child))
  }
}

/** Replaces the content of an element. */
export function show(element, ...children) {
  element.replaceChildren()
  append(element, children)
}

const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Returns a text from outside, isolated from the direction of its surroundings, with invisible controls as boxes. */
export function foreign(text, tag = 'bdi') {
  return h(tag, tag === 'bdi' ? {} : { dir: 'auto' }, visible(text))
}

/** Returns a text whose controls, which could reorder or hide what is beside it, are boxes. */
export function visible(text) {
  return String(text ?? '').replace(hidden, '\u2423')
}

/** Returns a button; if its action fails, the page says so. */
export function button(label, action, attributes = {}) {
  return h('button', { type: 'button', click: attempt(action), ...attributes }, label)
}

/** Returns a handler that says why an action failed. */
export function attempt(action) {
  return async event => {
    try {
      await action(event)
    } catch (error) {
      if (error.name !== 'AbortError') announce(visible(error.message))
    }
  }
}

/** Returns a labeled control of a form. */
export function field(label, control, hint) {
  return h('label', { class: 'field' }, h('span', {}, label), control, hint ? h('small', {}, hint) : null)
}

/** Returns a choice among [value, label] pairs. */
export function choice(options, value, change, attributes = {}) {
  return h('select', { change: event => change(event.target.value), ...attributes },
    options.map(([key, label]) => h('option', { value: key, selected: key === value }, label)))
}

let silence = null

/** Says a sentence for some seconds, also to those who do not see the page. */
export function announce(sentence) {
  const live = document.getElementById('live')
  live.textContent = sentence
  live.classList.remove('unseen')
  clearTimeout(silence)
  silence = setTimeout(() => live.classList.add('unseen'), 5000)
}

/** Calls a function at the end of a pause between its requests, so that many changes are one. */
export function pause(milliseconds, action) {
  let timer = null
  return (...values) => {
    clearTimeout(timer)
    timer = setTimeout(() => action(...values), milliseconds)
  }
}

/** Performs an action shortly after a request for it: once for many requests, and never twice at the same time. */
export function soon(milliseconds, action) {
  let [isPlanned, isRunning, isWanted] = [false, false, false]
  const run = async () => {
    [isPlanned, isRunning] = [false, true]
    await action().catch(() => {})
    isRunning = false
    if (isWanted) plan()
  }
  const plan = () => {
    isWanted = isRunning
    if (isRunning || isPlanned) return
    isPlanned = true
    setTimeout(run, milliseconds)
  }
  return plan
}

/** Shows a dialog, which closes with Escape; the focus returns to where it was. */
export function dialog(title, ...children) {
  const box = h('dialog', { 'aria-label': title }, h('h2', {}, title), children)
  const before = document.activeElement
  box.addEventListener('close', () => {
    box.remove()
    before?.focus?.()
  })
  document.body.append(box)
  box.showModal()
  return box
}

/** Offers a text as a file. */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  h('a', { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
