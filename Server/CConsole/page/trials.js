// The trials of a provider: the result of each, and for one that failed the rule, the request and the timeline.
import { h, append, foreign, visible, choice } from './dom.js'
import { t, number, duration, timeOfDay } from './words.js'
import { timeline, answer } from './trial-timeline.js'

const marks = { passed: '✓', failed: '✗', notShown: '–' }
const colors = { passed: 'good', failed: 'bad', notShown: 'quiet' }

/** The results of the trials of a run, to which others are added as they come. */
export class Trials {
  constructor(target) {
    this.rows = []
    this.shown = ''
    this.list = h('div', {})
    this.filter = choice(['', 'failed', 'notShown', 'passed'].map(outcome => [outcome, '']), '', outcome => {
      this.shown = outcome
      for (const row of this.rows) this.drawRow(row)
    }, { 'aria-label': t('state') })
    append(target, [h('section', { class: 'trials' }, h('h2', {}, t('trials')), h('p', { class: 'actions' }, this.filter), this.list)])
  }

  take(result) {
    // The first failure is what a person looks for.
    const isOpen = result.outcome === 'failed' && !this.rows.some(row => row.outcome === 'failed')
    const row = { outcome: result.outcome, element: trial(result, isOpen) }
    this.rows.push(row)
    this.drawRow(row)
    append(this.list, [row.element])
    for (const option of this.filter.options) {
      const count = this.rows.filter(one => !option.value || one.outcome === option.value).length
      option.textContent = `${t(option.value || 'all')} (${number(count)})`
    }
  }

  drawRow({ outcome, element }) {
    element.hidden = Boolean(this.shown) && outcome !== this.shown
  }
}

/** Returns a trial, whose details are drawn when it is opened. */
function trial(result, isOpen) {
  const { outcome } = result
  const element = h('details', { class: 'trial', open: isOpen }, h('summary', {},
    h('span', { class: colors[outcome], 'aria-hidden': 'true' }, marks[outcome]), h('span', { class: 'unseen' }, t(outcome)), ' ',
    h('strong', {}, foreign(result.trial)), ' ', foreign(result.summary)))
  const draw = () => {
    if (element.open && element.children.length === 1) append(element, [details(result)])
  }
  element.addEventListener('toggle', draw)
  draw()
  return element
}

const fact = (key, ...content) => [h('dt', {}, t(key)), h('dd', {}, content)]

function details({ outcome, rule, source, advice, figures, request, milliseconds, timeline: times }) {
  const hasFailed = outcome === 'failed'
  const values = Object.entries(figures).map(([name, value]) => `${visible(name)} ${number(value)}`)
  return [
    h('dl', {}, fact('rule', foreign(rule)), request ? fact('firstWrong', wrong(request)) : null, hasFailed ? fact('advice', foreign(advice)) : null,
      fact('source', foreign(source)), values.length ? fact('figures', values.join(' · ')) : null, fact('time', duration(milliseconds))),
    !hasFailed ? null : times ? timeline(times, request?.number) : h('p', { class: 'quiet' }, t('timelineLeftOut')),
  ]
}

/** Returns the first wrong request, with the headers and the body that the gateway has kept. */
function wrong(request) {
  const streams = [request.openStreams, request.streamLimit].filter(value => value != null).map(number)
  const facts = [`#${number(request.number)}`, timeOfDay(request.at), answer(request),
    request.connection == null ? null : t('connection', number(request.connection)),
    request.providerToken == null ? null : t('tokenNumber', number(request.providerToken)),
    streams.length ? `${t('openStreams')}: ${streams.join(' / ')}` : null].filter(Boolean)
  const content = [...Object.entries(request.headers ?? {}).sort().map(([name, value]) => `${name}: ${value}`), request.body].filter(Boolean)
  return [h('strong', { class: 'bad' }, visible(facts.join(' · '))), request.message ? h('p', {}, foreign(request.message)) : null,
    request.token ? h('p', {}, h('code', {}, visible(request.token))) : null,
    request.findings?.length ? h('ul', { class: 'findings' }, request.findings.map(one => h('li', {}, foreign(one.message)))) : null,
    content.length ? h('pre', { class: 'code', tabindex: '0', 'aria-label': t('payload') }, visible(content.join('\n'))) : null]
}
