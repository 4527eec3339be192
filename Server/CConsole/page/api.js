// Calls to the gateway: the same API that scripts use. Tokens are in memory only, and never in a URL.
import { dialog, h, field, button } from './dom.js'
import { t } from './words.js'

let adminToken = null
const controlTokens = new Map()
const questions = new Map()

/** The namespace of all calls; empty for the standard one. */
export const settings = { namespace: '' }

/** Returns a command that sends a body as the page does; the token is that of the shell. */
export function curl(path, body) {
  return ['curl', adminToken ? '-H "Authorization: Bearer $WAYPOST_ADMIN_TOKEN"' : '',
    settings.namespace ? `-H ${quoted(`X-Waypost-Namespace: ${settings.namespace}`)}` : '',
    `--data-raw ${quoted(body)}`, quoted(`${location.origin}${path}`)].filter(Boolean).join(' ')
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** An answer that is not a success, with the gateway's own words. */
export class Refusal extends Error {
  constructor(status, error) {
    super(error?.message ?? `${status}`)
    this.status = status
    this.code = error?.code
    this.line = error?.line
  }
}

function headers(more = {}) {
  const all = { ...more }
  if (adminToken) all['Authorization'] = `Bearer ${adminToken}`
  if (settings.namespace) all['X-Waypost-Namespace'] = settings.namespace
  return all
}

/** Sends a request; a gateway that demands its token gets what the person types in, unless the request is quiet. */
export async function request(method, path, { body, type, accept, signal, agent, isQuiet } = {}) {
  for (;;) {
    const more = {}
    if (body !== undefined) more['Content-Type'] = type ?? 'application/json'
    if (accept) more['Accept'] = accept
    if (agent && controlTokens.has(agent)) more['Waypost-Control-Token'] = controlTokens.get(agent)
    const [used, usedControl] = [adminToken, controlTokens.get(agent)]
    const response = await fetch(path, { method, headers: headers(more), body, signal, credentials: 'omit', redirect: 'error' })
    if (response.ok) return response
    const error = (await response.json().catch(() => null))?.error
    if (response.status !== 401 || isQuiet) throw new Refusal(response.status, error)
    // The gateway's own refusal has this header; that of an agent has not.
    if (agent && !response.headers.has('WWW-Authenticate')) {
      if (usedControl === controlTokens.get(agent)) controlTokens.set(agent, await once(agent, t('controlToken'), error?.message))
    } else if (used === adminToken) {
      adminToken = await once('', t('adminToken'), error?.message)
    }
  }
}

/** Returns the value at a path. */
export async function get(path, options) {
  return (await request('GET', path, options)).json()
}

/** Sends a value as JSON, and returns the answer, if it has one. */
export async function send(method, path, value, options = {}) {
  const response = await request(method, path, { ...options, body: value === undefined ? undefined : JSON.stringify(value) })
  const text = await response.text()
  return text ? JSON.parse(text) : null
}

/** Asks one question, also if several requests need its answer. */
function once(key, title, message) {
  if (!questions.has(key)) questions.set(key, ask(title, message).finally(() => questions.delete(key)))
  return questions.get(key)
}

function ask(title, message) {
  return new Promise(resolve => {
    // A header takes visible ASCII only.
    const input = h('input', { type: 'password', autocomplete: 'off', spellcheck: 'false', required: true, pattern: '[!-~]+' })
    const form = h('form', {
      method: 'dialog',
      submit: () => resolve(input.value.trim()),
    }, h('p', {}, message ?? ''), field(title, input, t('tokenHint')), h('p', { class: 'actions' }, h('button', {}, t('continue'))))
    const box = dialog(title, form)
    box.addEventListener('cancel', event => event.preventDefault())
    // A browser may close it nevertheless; then the question comes again.
    box.addEventListener('close', () => resolve(input.value.trim()))
    input.focus()
  })
}

/**
 * Follows server-sent events, and connects again after a pause when the stream ends.
 *
 * `start` returns the path for each connection; `handle` gets the type and the value of each event.
 */
export async function follow({ start, handle, state, signal, agent }) {
  let wait = 250
  while (!signal.aborted) {
    try {
      const response = await request('GET', await start(), { accept: 'text/event-stream', signal, agent })
      state?.(true)
      wait = 250
      await read(response.body, handle)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Refusal && error.status === 404) throw error
    }
    state?.(false)
    await new Promise(resolve => setTimeout(resolve, wait))
    wait = Math.min(wait * 2, 4000)
  }
}

async function read(body, handle) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    rest += value
    const events = rest.split('\n\n')
    rest = events.pop()
    for (const event of events) {
      let type = 'message'
      const data = []
      for (const line of event.split('\n')) {
        if (line.startsWith('event: ')) type = line.slice(7)
        else if (line.startsWith('data: ')) data.push(line.slice(6))
      }
      if (data.length) handle(type, JSON.parse(data.join('\n')))
    }
  }
}
