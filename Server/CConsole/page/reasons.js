// The reasons of decisions: a button that asks for one, and the tables that show it.
import { h, show, button, foreign, visible } from './dom.js'
import { t } from './words.js'

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
