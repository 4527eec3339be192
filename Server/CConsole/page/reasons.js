// The reasons of decisions: a button that asks for one, and the tables that show it.
import { h, show, button, foreign, visible } from './dom.js'
import { t, number, language } from './words.js'

/** Returns a button that shows the reason of a decision below itself. */
export function why(explain) {
  const reason = h('div', { class: 'reason' })
  const toggle = button(t('why'), async () => {
    const isOpen = toggle.getAttribute('aria-expanded') === 'true'
    toggle.setAttribute('aria-expanded', String(!isOpen))
    if (isOpen) return show(reason)
    try {
      show(reason, await explain())
    } catch (error) {
      show(reason, h('p', { class: 'bad' }, foreign(error.message)))
    }
  }, { 'aria-expanded': 'false', class: 'why' })
  return [toggle, reason]
}

/** Draws the verdict on each scene. */
export function sceneTrace(decision) {
  return h('table', {}, h('caption', { lang: 'en' }, foreign(decision.explanation)), h('thead', {}, h('tr', {},
    h('td', {}), h('th', { scope: 'col' }, t('scenes')), h('th', { scope: 'col' }, t('state')), h('th', { scope: 'col' }, t('verdict')))),
  h('tbody', {}, (decision.trace ?? []).map(scene => h('tr', { class: scene.won ? 'won' : null },
    h('td', {}, scene.won ? '✓' : '✗'), h('th', { scope: 'row' }, foreign(scene.scene)), h('td', {}, scene.state),
    h('td', { lang: 'en' }, foreign(scene.explanation), ['can', 'prefers'].map(name => scene[name] ? h('div', { class: 'quiet' },
      `${name}: ${scene[name].result ? '✓' : '✗'} `, h('code', {}, visible(scene[name].predicate)),
      scene[name].deciding ? [' – ', foreign(scene[name].deciding.because)] : null) : null))))))
}

/** Draws the gates that a link passed on its way to an app. */
export const gates = answer => gateTable(answer.app, answer.gates ?? [])

/** Draws the gates between a payload and the screen, the speaker and the icon, the app, and its Live Activity. */
export const notificationGates = decision => h('div', {},
  decision.grouping ? h('p', { class: 'quiet', lang: 'en' }, foreign(decision.grouping)) : null,
  [[decision.presentation, decision], [decision.launch?.outcome, decision.launch], [decision.liveActivity?.outcome, decision.liveActivity]]
    .filter(([, part]) => part).map(([outcome, part]) => gateTable(`${outcome}: ${part.explanation}`, part.gates)))

function gateTable(caption, list) {
  const marks = { pass: '✓', fail: '✗' }
  return h('table', { lang: 'en' }, h('caption', {}, foreign(caption)), h('tbody', {}, list.map(gate =>
    h('tr', { class: gate.status }, h('td', {}, marks[gate.status] ?? '·'), h('th', { scope: 'row' }, gate.gate), h('td', {}, foreign(gate.explanation))))))
}

/** Draws which code of an app runs for an event, with the outcome, the calls that are not made, and the findings. */
export function callbackTables({ cannotHappen, calls = [], notCalled = [], fate, findings = [] }) {
  const outcome = ['once', 'twice', 'lost'].includes(fate) ? `: ${t(fate)}` : ''
  return h('div', { lang: language },
    cannotHappen ? h('p', {}, `${t('callbacks')}: ${t('cannotHappen')}: `, h('span', { class: 'bad', lang: 'en' }, foreign(cannotHappen)))
      : callTable(t('callbacks') + outcome, calls, (_, index) => number(index + 1), callNotes),
    notCalled.length ? callTable(t('notCalled'), notCalled, () => '✗', absenceNotes) : null,
    findings.length ? h('ul', { class: 'findings links', lang: 'en' }, findings.map(finding =>
      h('li', { class: 'warning' }, '! ', foreign(finding.message), h('code', {}, visible(finding.code))))) : null)
}

function callTable(caption, list, mark, notes) {
  return h('table', { class: 'calls' }, h('caption', {}, caption), h('tbody', {}, list.map((call, index) =>
    h('tr', { class: toneOf(call) }, h('td', { class: 'number' }, mark(call, index)),
      h('th', { scope: 'row' }, h('code', {}, visible(call.call))),
      h('td', {}, notes(call), h('small', { class: 'quiet', title: call.source.reference && visible(call.source.reference) }, sourcesOf(call)))))))
}

/** The class of a call: one with the event stands out, and more so if the app does not handle it. */
function toneOf({ part, isHandled }) {
  if (part !== 'event' && part !== 'repetition') return null
  return isHandled === false ? 'fail' : 'won'
}

const callNotes = ({ argument, part, scene, condition, isHandled }) => [
  argument ? h('div', {}, h('code', {}, visible(argument)), part ? ` (${visible(t(part))})` : null) : null,
  scene === 'other' ? h('div', { class: 'quiet' }, t('otherScene')) : null,
  condition ? h('div', { class: 'quiet' }, t('onlyIf', visible(condition))) : null,
  isHandled === false ? h('div', {}, t('notHandled')) : null,
]

const absenceNotes = ({ option, reason }) => [
  option ? h('div', {}, t('withOption', visible(option))) : null,
  h('div', { lang: 'en' }, foreign(reason)),
]

/** Returns the mark of a call's source, and that of its place among the calls if it has another. */
function sourcesOf({ source, order }) {
  return markOf(source) + (order && order.mark !== source.mark ? `; ${t('place', markOf(order))}` : '')
}

function markOf(source) {
  if (source.mark !== 'observed') return visible(t(source.mark))
  return source.reports === 1 ? t('oneReport') : t('observed', number(source.reports))
}
