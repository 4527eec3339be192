// A form that sends a notification, with the findings of APNs and devices as a person types.
import { h, show, button, field, choice, foreign, dialog, pause, announce, attempt, visible } from './dom.js'
import { get, request, Refusal } from './api.js'
import { t, number } from './words.js'
import { check } from './notifications.js'
import { purposeText, pushTypeFor, tokenNamed, tokenNames } from './tokens.js'

const templates = {
  alert: { aps: { alert: { title: 'Crusty is on the way', body: 'Two minutes to your door' }, sound: 'default' } },
  'target-content-id': { aps: { alert: { title: 'Crusty is on the way' }, 'target-content-id': 'https://clowntown.example/clowns/crusty' } },
  badge: { aps: { badge: 3 } },
  background: { aps: { 'content-available': 1 }, reason: 'new-data' },
  liveactivity: { aps: { timestamp: Math.floor(Date.now() / 1000), event: 'update', 'content-state': { minutes: 2 } } },
  'liveactivity start': { aps: { timestamp: Math.floor(Date.now() / 1000), event: 'start', 'attributes-type': 'Delivery', attributes: {}, 'content-state': { minutes: 2 }, alert: { title: 'Crusty is on the way', body: 'Two minutes to your door' } } },
  'content-changed': { aps: { 'content-changed': true } },
}

const templateTypes = { background: 'background', liveactivity: 'liveactivity', 'liveactivity start': 'liveactivity' }

/** The templates of the kinds of tokens that get no alerts. */
const templatesOfKinds = { pushToStart: 'liveactivity start', liveActivity: 'liveactivity', widgets: 'content-changed', control: 'content-changed' }

const pushTypes = ['alert', 'background', 'liveactivity', 'voip', 'complication', 'controls', 'fileprovider', 'location', 'mdm', 'nowplaying', 'pushtotalk', 'widgets']

/** Opens the form. */
export async function compose(page, given = {}) {
  const list = (await get('/v1/devices?limit=500')).devices.map(({ device }) => device)
  const names = tokenNames(list)
  const tokens = h('datalist', { id: 'tokens' }, list.filter(({ standing }) => standing === 'active')
    .map(device => h('option', { value: device.token }, visible(names.get(device.token)))))
  const topicList = h('datalist', { id: 'topics' })
  const token = h('input', { list: 'tokens', required: true, spellcheck: 'false', autocomplete: 'off', 'aria-describedby': 'target', value: given.token ?? usual(list)?.token ?? '' })
  const target = h('small', { id: 'target' })
  const topic = h('input', { list: 'topics', required: true, spellcheck: 'false', autocomplete: 'off' })
  const collapse = h('input', { spellcheck: 'false', autocomplete: 'off', maxlength: '64' })
  const text = h('textarea', { rows: '12', spellcheck: 'false', 'aria-describedby': 'verdict' })
  const verdict = h('div', { id: 'verdict', role: 'status' })
  let [pushType, priority] = ['alert', '10']

  const device = () => list.find(one => one.token === token.value)
  const chooseDevice = () => {
    const { purpose, topics = [] } = device() ?? {}
    const own = topics.filter(name => !name.startsWith('waypost.'))
    const [name, separator] = [names.get(token.value) ?? '', purpose ? ': ' : '']
    show(target, foreign(`${name}${separator}${purpose ? purposeText(purpose) : ''}`))
    show(topicList, topics.map(name => h('option', { value: name })))
    if (topics.includes(topic.value)) return
    topic.value = own[0] ?? topic.value
    followTopic()
  }
  /** Puts the token in place of its name, such as Phone/voip. */
  const findNamed = () => {
    const named = device() ? null : tokenNamed(token.value, list)
    if (!named) return
    token.value = named
    chooseDevice()
  }
  const followTopic = () => {
    const type = pushTypeFor(topic.value, pushType)
    if (type === pushType) return
    setType(type)
    validateSoon()
  }
  const setType = name => {
    pushType = name
    types.value = name
  }
  const validate = async () => {
    const report = await check(text.value, pushType)
    show(verdict, h('p', { class: 'quiet' }, `${t('size')}: ${number(report.size)} / ${number(report.limit)}`),
      report.findings.length ? report.findings.map(finding => h('p', { class: finding.severity },
        `${finding.line}:${finding.column} ${finding.severity}: `, foreign(finding.message)))
        : h('p', { class: 'good' }, t('fine')))
  }
  const validateSoon = pause(200, attempt(validate))
  const use = name => {
    text.value = JSON.stringify(templates[name], null, 2)
    setType(templateTypes[name] ?? pushTypeFor(topic.value))
    priority = name === 'background' ? '5' : '10'
    priorities.value = priority
    validate()
  }
  const types = choice(pushTypes.map(name => [name, name]), pushType, name => {
    pushType = name
    validate()
  })
  const priorities = choice([['10', '10'], ['5', '5'], ['1', '1']], priority, value => { priority = value })
  token.addEventListener('input', chooseDevice)
  token.addEventListener('change', findNamed)
  topic.addEventListener('input', followTopic)
  text.addEventListener('input', validateSoon)

  const submit = async event => {
    event.preventDefault()
    findNamed()
    try {
      const item = { token: token.value, topic: topic.value, pushType, priority: Number(priority) }
      if (collapse.value) item.collapseID = collapse.value
      // The payload is sent as it was typed.
      const body = `${JSON.stringify(item).slice(0, -1)},"payload":${oneLine(text.value)}}`
      const answer = await (await request('POST', '/v1/batches?results=all', { body, type: 'application/x-ndjson' })).json()
      const result = answer.results[0]
      if (result?.reason) return show(verdict, h('p', { class: 'error', role: 'alert' }, `${result.status} ${result.reason}: `, foreign(result.message)))
      announce(t('sent'))
      if (!answer.findings) return box.close()
      show(verdict, h('p', { class: 'good' }, t('sent')), answer.findings.map(finding => h('p', { class: finding.severity },
        `${finding.severity}: `, foreign(finding.message))))
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof SyntaxError)) throw error
      show(verdict, h('p', { class: 'error', role: 'alert' }, foreign(error.message)))
    }
  }
  const box = dialog(t('new'), tokens, topicList, h('form', { submit: attempt(submit) },
    h('div', { class: 'grid' },
      h('div', {}, field(t('token'), token), target), field(t('topic'), topic), field(t('pushType'), types), field(t('priority'), priorities),
      field(t('collapse'), collapse),
      field(t('template'), choice([['', '–'], ...Object.keys(templates).map(name => [name, name])], '', name => name && use(name)))),
    field(t('payload'), text), verdict,
    h('p', { class: 'actions' }, h('button', { class: 'main' }, t('send')), button(t('close'), () => box.close()))))
  box.classList.add('wide')
  chooseDevice()
  if (given.payload) {
    text.value = given.payload
    validate()
  } else {
    use(templatesOfKinds[device()?.purpose?.kind] ?? 'alert')
  }
  text.focus()
}

/** Returns the first device with an app, or the token of an app for its notifications. */
function usual(list) {
  const getsAlerts = ({ purpose, topics }) => (purpose?.kind ?? 'app') === 'app' && topics.some(topic => !topic.startsWith('waypost.'))
  return list.find(getsAlerts) ?? list[0]
}

/** Returns a JSON text on one line; a line break between its parts is a space. */
export function oneLine(text) {
  JSON.parse(text)
  return text.replace(/\s*\n\s*/g, ' ')
}
