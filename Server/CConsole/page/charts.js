// Lines and tables for figures.
import { h, append, foreign, visible } from './dom.js'
import { t, number } from './words.js'

const short = value => number(value < 10 ? Math.round(value * 100) / 100 : Math.round(value))

/** Returns an element of a drawing. */
export const svg = (tag, attributes, ...children) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  append(element, children)
  return element
}

/** Returns a line of values, with the last and the greatest one in words. */
export function sparkline(label, values, unit = '') {
  const most = Math.max(1, ...values)
  const step = 600 / Math.max(119, values.length - 1)
  const points = values.map((value, index) => `${(index * step).toFixed(1)},${60 - value / most * 56}`).join(' ')
  return h('figure', {}, h('figcaption', {}, `${label}: ${short(values.at(-1) ?? 0)}${unit} (max ${short(Math.max(0, ...values))}${unit})`),
    svg('svg', { viewBox: '0 0 600 64', class: 'chart', role: 'img', 'aria-label': label }, svg('polyline', { points })))
}

/** Returns a section with a table, or with the word for nothing. */
export function table(title, heads, rows, foot) {
  const caption = visible(title)
  return h('section', {}, h('h2', {}, caption), rows.length ? h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, h('table', {},
    heads.length ? h('thead', {}, h('tr', {}, heads.map(name => name ? h('th', { scope: 'col' }, foreign(name)) : h('td', {})))) : null,
    h('tbody', {}, rows.map(row => h('tr', {}, row.map(cell => h('td', {}, cell instanceof Node ? cell : foreign(cell)))))))) : h('p', { class: 'quiet' }, t('none')), foot)
}
