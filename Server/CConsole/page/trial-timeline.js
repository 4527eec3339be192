// The timeline of a trial as a drawing: a lane for each connection, its provider tokens, requests and events.
import { h, append, foreign, visible } from './dom.js'
import { t, number, duration } from './words.js'
import { svg, table } from './charts.js'

const [left, right, width] = [110, 700, 720]
const [head, lane, barTop, barHeight, markBase] = [44, 62, 44, 12, 38]

/** The number of lanes that are drawn; the tables have all connections. */
const maximumLanes = 60

const shades = 6

/** Returns an answer in words. */
export function answer({ status, reason, fault }) {
  return [status ?? t('noAnswer'), reason, fault && `(${fault})`].filter(Boolean).join(' ')
}

/** The kinds of answers, each with the shape of its mark around a point. */
const shapes = {
  success: (x, y) => svg('circle', { cx: x, cy: y, r: 2.8, class: 'success' }),
  refused4: (x, y) => svg('path', { d: `M${x} ${y - 3.6}l3.6 6.4h-7.2z`, class: 'refused' }),
  refused5: (x, y) => svg('rect', { x: x - 2.8, y: y - 2.8, width: 5.6, height: 5.6, class: 'failure' }),
  noAnswer: (x, y) => svg('path', { d: `M${x - 2.8} ${y - 2.8}l5.6 5.6m0 -5.6l-5.6 5.6`, class: 'unanswered' }),
}

const shapeOf = ({ status }) => status == null ? 'noAnswer' : status < 400 ? 'success' : status < 500 ? 'refused4' : 'refused5'

const eventWords = { streamLimit: event => t('streamLimit', event.streams == null ? '–' : number(event.streams)), goAway: event => `GOAWAY ${event.reason ?? ''}`.trim(), silenced: () => t('silenced'), ping: () => 'PING' }

const wordsOf = event => visible((eventWords[event.kind] ?? (() => event.kind))(event))

const text = (x, y, content, attributes = {}) => svg('text', { x: x.toFixed(1), y, ...attributes }, visible(content))

/** Returns the drawing of a timeline, its phases, and tables with all that it has. */
export function timeline(times, wrong) {
  const moments = [...times.phases.map(phase => phase.at), ...times.requests.map(request => request.at),
    ...times.connections.flatMap(one => [one.openedAt, one.closedAt ?? one.openedAt, ...one.events.map(event => event.at)])]
  if (!moments.length) return h('p', { class: 'quiet' }, t('none'))
  const first = moments.reduce((one, other) => Math.min(one, other))
  const span = Math.max(1, moments.reduce((one, other) => Math.max(one, other)) - first)
  const scale = { first, span, x: at => left + (Math.min(at, first + span) - first) / span * (right - left), time: at => `+${duration(at - first)}` }
  const label = `${t('timeline')}: ${t('connections')} ${number(times.connections.length)}, ${t('requests')} ${number(times.requests.length)}`
  const tables = h('details', { toggle: () => {
    if (tables.open && tables.children.length === 1) append(tables, [connectionTable(times, scale), requestTable(times, scale)])
  } }, h('summary', {}, t('asTable')))
  return [
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('timeline') }, drawing(times, scale, wrong, label)),
    times.connections.length > maximumLanes ? h('p', { class: 'quiet' }, `${t('connections')}: ${t('of', number(maximumLanes), number(times.connections.length))}`) : null,
    h('ul', { class: 'legend' }, Object.entries(shapes).map(([key, shape]) =>
      h('li', {}, svg('svg', { viewBox: '0 0 12 12', width: 14, height: 14, 'aria-hidden': 'true', class: 'trialchart' }, shape(6, 6)), ' ', t(key))),
      h('li', {}, svg('svg', { viewBox: '0 0 16 12', width: 18, height: 14, 'aria-hidden': 'true', class: 'trialchart' }, svg('rect', { width: 16, height: 12, class: 'shade1' }), text(5, 10, '1', { class: 'onbar' })), ' ', t('providerTokens'))),
    times.phases.length ? [h('h3', {}, t('phases')), h('ol', { class: 'phases' }, times.phases.map(phase => h('li', {}, h('span', { class: 'quiet' }, scale.time(phase.at)), ' ', foreign(phase.text))))] : null,
    tables,
  ]
}

function drawing(times, scale, wrong, label) {
  const lanes = times.connections.slice(0, maximumLanes)
  const drawn = new Map(lanes.map((connection, index) => [connection.number, index]))
  if (times.requests.some(request => request.connection == null)) drawn.set(null, lanes.length)
  const bottom = head + Math.max(1, drawn.size) * lane
  const picture = svg('svg', { viewBox: `0 0 ${width} ${bottom + 20}`, class: 'trialchart', role: 'img', 'aria-label': label })
  append(picture, [times.phases.map((phase, index) => phaseLine(scale.x(phase.at), index, bottom)),
    lanes.map((connection, index) => connectionLane(connection, head + index * lane, scale)),
    drawn.has(null) ? text(0, head + lanes.length * lane + barTop + 10, t('noConnection')) : null,
    requestMarks(times.requests, drawn, scale, wrong),
    [0, 1, 2, 3, 4].map(part => text(left + (right - left) * part / 4, bottom + 14, `+${duration(scale.span * part / 4)}`, { 'text-anchor': part === 4 ? 'end' : part ? 'middle' : 'start' }))])
  return picture
}

/** Returns a vertical line with the number of a phase; neighbors have their numbers at different heights. */
function phaseLine(x, index, bottom) {
  return [svg('line', { x1: x, x2: x, y1: 4, y2: bottom, class: 'phase' }), text(x + 2, 12 + index % 3 * 12, number(index + 1))]
}

function connectionLane(connection, top, scale) {
  const [start, end] = [scale.x(connection.openedAt), scale.x(connection.closedAt ?? scale.first + scale.span)]
  const bar = { y: top + barTop, height: barHeight }
  let free = 0
  return [
    text(0, top + barTop + 10, t('connection', number(connection.number))),
    svg('rect', { ...bar, x: start, width: Math.max(2, end - start), class: 'life' }),
    connection.tokens.map(use => {
      const [from, to] = [scale.x(use.firstUsedAt), Math.max(scale.x(use.lastUsedAt), scale.x(use.firstUsedAt) + 3)]
      const name = number(use.number)
      return [svg('rect', { ...bar, x: from, width: to - from, class: `shade${Math.abs(use.number) % shades}` },
        svg('title', {}, visible([t('tokenNumber', name), use.key, use.team].filter(Boolean).join(' · ')))),
      to - from > 5 + name.length * 7 ? text(from + 3, top + barTop + 10, name, { class: 'onbar' }) : null]
    }),
    connection.events.map(event => {
      const [x, words] = [scale.x(event.at), wordsOf(event)]
      const size = words.length * 7
      const begin = Math.min(x, width - size)
      const isLabeled = begin >= free
      if (isLabeled) free = begin + size + 6
      return [svg('line', { x1: x, x2: x, y1: top + 13, y2: top + barTop + barHeight + 3, class: 'tick' }, svg('title', {}, `${scale.time(event.at)} ${words}`)),
        isLabeled ? text(begin, top + 10, words) : null]
    }),
  ]
}

/** Returns a mark for each request of a lane; those at the same place are above each other. */
function requestMarks(requests, drawn, scale, wrong) {
  const counts = new Map()
  return requests.map(request => {
    const index = drawn.get(request.connection ?? null)
    if (index === undefined) return null
    const x = scale.x(request.at)
    const place = `${index} ${Math.round(x / 6)}`
    const level = counts.get(place) ?? 0
    counts.set(place, level + 1)
    const [px, py] = [Number(x.toFixed(1)), head + index * lane + markBase - Math.min(level, 3) * 7]
    const mark = shapes[shapeOf(request)](px, py)
    append(mark, [svg('title', {}, visible(`#${request.number} ${scale.time(request.at)} ${answer(request)}`))])
    return [mark, request.number === wrong ? svg('circle', { cx: px, cy: py, r: 6.5, class: 'wrong' }) : null]
  })
}

function connectionTable({ connections }, { time }) {
  const versions = { http2: 'HTTP/2', http1: 'HTTP/1.1' }
  const few = list => list.slice(0, 20).join(', ') + (list.length > 20 ? ` … (${number(list.length)})` : '')
  return table(t('connections'), ['#', t('version'), t('opened'), t('closed'), t('requests'), t('openStreams'), t('providerTokens'), t('events')], connections.map(one => [
    number(one.number), versions[one.version] ?? one.version, time(one.openedAt), one.closedAt == null ? '–' : time(one.closedAt), number(one.requests), number(one.highestStreams),
    few(one.tokens.map(use => number(use.number))), few(one.events.map(event => `${time(event.at)} ${wordsOf(event)}`))]))
}

function requestTable({ requests }, { time }) {
  const optional = value => value == null ? '–' : number(value)
  return table(t('requests'), ['#', t('time'), t('connection', '').trim(), t('tokenNumber', '').trim(), t('openStreams'), t('state'), t('answeredAfter'), t('token')], requests.map(one => [
    number(one.number), time(one.at), optional(one.connection), optional(one.providerToken), [one.openStreams, one.streamLimit].filter(value => value != null).map(number).join(' / ') || '–',
    answer(one), one.answeredAt == null ? '–' : duration(one.answeredAt - one.at), one.token ?? '–']))
}
