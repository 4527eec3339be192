// The tokens of devices and apps: their names, which are those of the commands, and their purposes in words.
import { t } from './words.js'

const nameWithKind = ({ name, purpose }) => purpose ? `${name}/${purpose.kind}` : name

/** Returns the name with what distinguishes tokens of a kind, such as Phone/liveActivity/match-1. */
const nameWithDetail = device => device.purpose ? `${nameWithKind(device)}/${device.purpose.name ?? device.purpose.app}` : device.name

/**
 * Returns the names of registered devices by their tokens, each the shortest that differs, such as Phone/voip.
 *
 * A token that is not active has its standing after the name if another one has the same name.
 */
export function tokenNames(devices) {
  const names = new Map()
  for (const device of devices) {
    const kind = nameWithKind(device)
    names.set(kind, (names.get(kind) ?? new Set()).add(nameWithDetail(device)))
  }
  const shortest = device => names.get(nameWithKind(device)).size > 1 ? nameWithDetail(device) : nameWithKind(device)
  const counts = new Map()
  for (const device of devices) counts.set(shortest(device), (counts.get(shortest(device)) ?? 0) + 1)
  return new Map(devices.map(device => {
    const isEqual = device.standing !== 'active' && counts.get(shortest(device)) > 1
    return [device.token, isEqual ? `${shortest(device)} (${device.standing})` : shortest(device)]
  }))
}

/** Returns the active token with a name, or null; the name of a device is the token for everything, or for its app. */
export function tokenNamed(text, devices) {
  const isNamed = [
    ({ name, purpose }) => name === text && !purpose,
    ({ name, purpose }) => name === text && purpose?.kind === 'app',
    device => device.purpose && [nameWithKind(device), nameWithDetail(device), `${nameWithKind(device)}/${device.purpose.app}`].includes(text),
  ]
  const active = devices.filter(({ standing }) => standing === 'active')
  const found = isNamed.map(test => active.filter(test)).find(list => list.length)
  return found?.length === 1 ? found[0].token : null
}

/** Returns a purpose in words: the kind, the name if there may be several, and the app. */
export function purposeText({ kind, name, app }) {
  return `${t(kind)}${name ? ` ${name}` : ''} · ${app}`
}

const suffixes = {
  '.push-type.liveactivity': 'liveactivity', '.push-type.widgets': 'widgets', '.push-type.controls': 'controls',
  '.push-type.nowplaying': 'nowplaying', '.voip-ptt': 'pushtotalk', '.voip': 'voip', '.complication': 'complication',
  '.pushkit.fileprovider': 'fileprovider', '.location-query': 'location',
}

/** Returns the push type of a topic with a suffix; for another topic, the current one unless that needs a suffix. */
export function pushTypeFor(topic, current = 'alert') {
  const suffix = Object.keys(suffixes).find(end => topic.endsWith(end))
  if (suffix) return suffixes[suffix]
  return Object.values(suffixes).includes(current) ? 'alert' : current
}
