// Association files: which app may be offered a URL, by which rule, and what is wrong with the file.
import { h, show, append, button, field, foreign, visible, pause, soon, attempt } from './dom.js'
import { get, send, Refusal } from './api.js'
import { t } from './words.js'

const example = {
  applinks: {
    details: [{
      appIDs: ['ABCDE12345.com.example.tv'],
      components: [{ '/': '/shows/drafts/*', exclude: true }, { '/': '/shows/*', comment: 'Every show' }],
    }],
  },
}

let given = { file: JSON.stringify(example, null, 2), urls: 'https://tv.example/shows/lasso\nhttps://tv.example/shows/drafts/1' }

export async function draw(target, page, _, signal) {
  const file = h('textarea', { rows: '22', spellcheck: 'false', value: given.file })
  const urls = h('textarea', { rows: '6', spellcheck: 'false', value: given.urls })
  const [source, answer, domains] = [h('div', {}), h('div', { role: 'status' }), h('div', {})]
  const ask = async () => {
    given = { file: file.value, urls: urls.value }
    try {
      const list = urls.value.split('\n').map(line => line.trim()).filter(Boolean).slice(0, 200)
      const report = await send('POST', '/v1/associations/match', { file: file.value, urls: list }, { signal })
      show(source, findings(file.value, report))
      show(answer, decisions(report))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      show(answer, h('p', { class: 'bad' }, foreign(error.message)))
    }
  }
  const askSoon = pause(250, attempt(ask))
  file.addEventListener('input', askSoon)
  urls.addEventListener('input', askSoon)
  append(target, [h('div', { class: 'page' }, h('h1', {}, t('associations')), h('div', { class: 'halves' },
    h('div', {}, field(t('file'), file), source), h('div', {}, field(t('urls'), urls), answer, domains)))])
  await ask()
  let agents = null
  const list = soon(0, async () => {
    if (agents === page.log.agents || signal.aborted) return
    agents = page.log.agents
    show(domains, ...await files(page, signal, text => {
      file.value = text
      ask()
    }))
  })
  page.log.listen(list)
  signal.addEventListener('abort', () => page.log.listeners.delete(list))
  list()
}

function findings(text, report) {
  if (!report.findings.length) return report.failure ? h('p', { class: 'bad' }, foreign(report.failure.message)) : h('p', { class: 'good' }, t('fine'))
  const lines = text.split('\n')
  return h('section', {}, h('h2', {}, t('findings')), h('ol', { class: 'findings', lang: 'en' }, report.findings.map(finding => h('li', { class: finding.severity },
    h('strong', {}, `${finding.line}:${finding.column} ${finding.severity}: `), foreign(finding.message),
    h('code', {}, visible(lines[finding.line - 1]?.trim().slice(0, 120))))))
  )
}

function decisions(report) {
  if (report.failure) return h('p', { class: 'bad' }, foreign(report.failure.message))
  return [h('h2', {}, t('verdict')), report.decisions.map(decision => h('article', { class: 'decision' },
    h('h3', {}, decision.matched ? '✓ ' : '✗ ', foreign(decision.url)), h('p', { lang: 'en' }, foreign(decision.app), ': ', foreign(decision.explanation)),
    h('details', {}, h('summary', {}, t('why')), h('table', { lang: 'en' }, h('tbody', {}, (decision.trace ?? []).map(rule => h('tr', {},
      h('td', {}, rule.matched ? '✓' : '✗'), h('td', { class: 'number' }, String(rule.line)), h('td', {}, h('code', {}, visible(rule.rule))), h('td', {}, foreign(rule.explanation)))))))))]
}

/** Lists what the devices of agents know of the domains of their apps, and fetches the file of a domain through one. */
async function files(page, signal, use) {
  const found = []
  let device = null
  for (const agent of page.log.agents) {
    const base = `/v1/agents/${encodeURIComponent(agent.id)}/control/v1/devices`
    try {
      for (const { name } of await get(base, { signal, agent: agent.id })) {
        const path = `${base}/${encodeURIComponent(name)}/associations`
        device ??= { path, agent: agent.id }
        for (const file of await get(path, { signal, agent: agent.id })) found.push([name, file, { path, agent: agent.id }])
      }
    } catch {
      // An agent that is leaving has no files.
    }
  }
  const said = h('p', { role: 'status' })
  const fetchFile = async (domain, { path, agent }) => {
    const { file, source, failure } = await get(`${path}/content?domain=${encodeURIComponent(domain)}`, { signal, agent })
      .catch(error => ({ source: domain, failure: error }))
    show(said, failure ? h('span', { class: 'bad' }, foreign(failure.message)) : foreign(source))
    if (file) use(file)
  }
  const domain = h('input', { 'aria-label': t('domain'), placeholder: t('domain'), spellcheck: 'false', autocomplete: 'off' })
  const form = h('form', {
    class: 'bar',
    submit: event => {
      event.preventDefault()
      if (domain.value.trim()) fetchFile(domain.value.trim(), device)
    },
  }, domain, h('button', {}, t('fetch')))
  return [h('h2', {}, t('domains')), device ? form : h('p', { class: 'quiet' }, t('needsAgent')), said,
    found.length ? h('div', { class: 'scroll' }, h('table', {}, h('tbody', {}, found.slice(0, 200).map(([name, file, place]) => h('tr', {},
      h('td', {}, foreign(name)), h('th', { scope: 'row' }, foreign(file.domain)), h('td', {}, foreign(file.failure?.message ?? file.source ?? '')),
      h('td', {}, button(t('fetch'), () => fetchFile(file.domain, place), { 'aria-label': `${t('fetch')}: ${visible(file.domain)}` }))))))) : null]
}
