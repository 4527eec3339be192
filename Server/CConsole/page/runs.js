// Runs of scenarios, load tests, fleets and trials of providers: their story as it happens, and their report.
import { h, show, append, foreign, visible, announce } from './dom.js'
import { get } from './api.js'
import { t, number, duration, timeOfDay } from './words.js'
import { sparkline, table } from './charts.js'
import { Trials } from './trials.js'

const marks = { running: '…', passed: '✓', failed: '✗', skipped: '·', updated: '↻', interrupted: '✗' }

export async function draw(target, page, [id], signal) {
  const [list, story] = [h('div', { class: 'table' }), h('div', { class: 'detail' })]
  append(target, [h('div', { class: 'split' }, h('section', { class: 'list', 'aria-label': t('runs') }, list), story)])
  let [drawnList, run] = ['', null]
  const refresh = async () => {
    const key = JSON.stringify(page.log.runs)
    if (key === drawnList) return
    show(list, page.log.runs.length ? page.log.runs.map(one => entry(one, id)) : h('p', { class: 'empty' }, t('noRuns')))
    const chosen = page.log.runs.find(one => one.id === id)
    if (!chosen) {
      drawnList = key
      run = null
      return show(story, h('h1', {}, t('runs')), h('p', { class: 'empty' }, t('selectRun')))
    }
    run ??= new Run(story, signal)
    await run.refresh(chosen)
    // A read that failed is tried again.
    drawnList = key
  }
  const stop = page.log.listen(() => refresh().catch(() => {}))
  signal.addEventListener('abort', stop)
  await refresh()
}

const colors = { passed: 'good', failed: 'bad', interrupted: 'bad', running: 'quiet' }

const facts = run => [run.kind, timeOfDay(run.startedAt), run.endedAt ? duration(run.endedAt - run.startedAt) : null].filter(Boolean).join(' · ')

const stateOf = run => run.outcome ?? 'running'

function entry(run, id) {
  return h('a', { class: 'item', href: `#runs/${encodeURIComponent(run.id)}`, 'aria-current': run.id === id ? 'page' : null },
    h('strong', {}, foreign(run.name)), ' ', h('span', { class: colors[stateOf(run)] }, `${marks[stateOf(run)]} ${t(stateOf(run))}`),
    h('small', {}, facts(run)))
}

/** The story of a run, to which events are added as they come. */
class Run {
  constructor(target, signal) {
    this.signal = signal
    this.read = 0
    this.seconds = []
    this.busy = false
    this.head = h('header', {})
    this.charts = h('div', { class: 'charts' })
    this.steps = h('div', { class: 'story' })
    this.report = h('div', { class: 'report' })
    show(target, this.head, this.charts, this.steps, this.report)
  }

  /** Reads and draws the events that came since. */
  async refresh(run) {
    this.latest = run
    if (this.busy) return
    this.busy = true
    try {
      while (this.read < this.latest.events && !this.signal.aborted) {
        const { events } = await get(`/v1/runs/${encodeURIComponent(run.id)}/events?after=${this.read}&limit=1000`, { signal: this.signal })
        if (!events.length) break
        this.read += events.length
        for (const event of events) this.take(event)
      }
    } finally {
      this.busy = false
    }
    this.drawHead(this.latest)
    this.drawCharts()
  }

  drawHead(run) {
    const state = stateOf(run)
    if (this.state && this.state !== state) announce(`${run.name}: ${t(state)}`)
    this.state = state
    show(this.head, h('h1', {}, foreign(run.name)),
      h('p', {}, h('span', { class: colors[state] }, `${marks[state]} ${t(state)}`), ` · ${facts(run)}`),
      run.omitted ? h('p', { class: 'warning' }, t('omitted', number(run.omitted))) : null)
  }

  take(event) {
    if (event.type === 'scenario') {
      this.list = h('ol', { class: 'steps' })
      append(this.steps, [h('section', {}, h('h2', {}, foreign(event.name)), this.list)])
    } else if (event.type === 'step') {
      this.list ??= this.steps.appendChild(h('ol', { class: 'steps' }))
      if (this.going) this.going.remove()
      this.going = step(event.step)
      this.list.append(this.going)
      if (event.step.state !== 'running') this.going = null
    } else if (event.type === 'trial') {
      this.trials ??= new Trials(this.steps)
      this.trials.take(event.trial)
    } else if (event.type === 'figures') {
      this.seconds.push(event.figures)
    } else if (event.type === 'table') {
      append(this.report, [table(event.table.header[0] || t('report'), event.table.header, event.table.rows)])
    } else if (event.type === 'note') {
      append(this.report, [h('p', { class: 'sentence' }, foreign(event.text))])
    }
  }

  drawCharts() {
    if (!this.seconds.length) return
    const names = [...new Set(this.seconds.flatMap(second => Object.keys(second.values)))]
    show(this.charts, names.map(name => sparkline(visible(name), this.seconds.slice(-600).map(second => second.values[name] ?? 0))))
  }
}

function step({ text, state, message, place, differences, explanation }) {
  const failed = state === 'failed'
  return h('li', { class: state }, h('span', { 'aria-hidden': 'true' }, marks[state]), h('div', {},
    h('span', { class: 'unseen' }, t(state)), ' ', foreign(text), message && !failed ? [': ', foreign(message)] : null,
    failed ? [h('p', { class: 'bad' }, foreign(message)), place ? h('p', {}, h('code', {}, visible(place))) : null] : null,
    differences?.length ? h('table', {}, h('thead', {}, h('tr', {}, h('td', {}), h('th', { scope: 'col' }, t('expected')), h('th', { scope: 'col' }, t('actual')))),
      h('tbody', {}, differences.map(one => h('tr', {}, h('th', { scope: 'row' }, foreign(one.field)), h('td', {}, foreign(one.expected)), h('td', {}, foreign(one.actual)))))) : null,
    explanation ? h('pre', { class: 'code' }, visible(explanation)) : null))
}
