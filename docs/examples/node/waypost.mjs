// Waypost for tests with node:test. Copy this file next to your tests; it needs Node 20 or later, and nothing else.
// docs/stdio.md describes the protocol, and docs/scenarios.md the steps.
//
// Tests start a gateway, or use the one whose URL is in the environment variable WAYPOST_GATEWAY. They start
// waypost-agent, or the command in WAYPOST_AGENT_COMMAND, such as: docker exec -i waypost waypost agent
// With WAYPOST_GATEWAY_AUTHENTICATION=token or apns, a back end needs tokens that a key of the gateway has signed.

import { AssertionError } from 'node:assert'
import { execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The longest wait for an answer, in milliseconds. It must be longer than `within` of any step. */
const timeLimit = 60_000

const folder = mkdtempSync(join(tmpdir(), 'waypost-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
const readyFile = join(folder, 'gateway.json')

if (process.env.NODE_TEST_CONTEXT) {
  // 'node --test' runs each file in a process, which must not go on when the runner is killed.
  const runner = process.ppid
  setInterval(() => process.ppid === runner || process.exit(1), 500).unref()
}

/**
 * @typedef {object} Answer The answer to a step.
 * @property {Record<string, any>} actual What happened, with the keys of `expect`.
 * @property {any} answer The whole answer of the gateway's or the agent's API.
 * @property {string} [explanation] Why it happened.
 */

/** Returns the environment of programs, which are in the folder that `WAYPOST_BIN` names, or on the `PATH`. */
function environment() {
  const { WAYPOST_BIN, PATH = '' } = process.env
  return { ...process.env, PATH: WAYPOST_BIN ? WAYPOST_BIN + delimiter + PATH : PATH }
}

/** A program of Waypost. It ends when its standard input does, so also if this process is killed. */
class Program {
  /** @param {[string, ...string[]]} command @param {string} log The name of the file for its messages. */
  constructor([name, ...options], log) {
    const path = join(folder, log)
    const messages = openSync(path, 'w')
    const { WAYPOST_BIN } = process.env
    this.process = spawn(name, options, { env: environment(), stdio: ['pipe', 'pipe', messages] })
    closeSync(messages)
    this.process.stdin.on('error', () => {}) // 'ended' reports it
    /** @type {Promise<never>} Rejects when the program has ended. */
    this.ended = new Promise((_, reject) => {
      this.process.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
        const places = WAYPOST_BIN ? `in WAYPOST_BIN (${WAYPOST_BIN}) or on the PATH` : 'on the PATH'
        const advice = 'install the package of Waypost, or set WAYPOST_BIN to the folder of its programs'
        reject(error.code === 'ENOENT' ? new Error(`${name} is not ${places}; ${advice}`) : error)
      })
      this.process.on('close', (status, signal) => {
        reject(new Error(`${name} ended with ${signal ?? `status ${status}`}\n${readFileSync(path, 'utf8').trimEnd()}`))
      })
    })
    this.ended.catch(() => {}) // at the end of a test, nobody waits for it
  }

  /**
   * Returns a result, unless the program ends before or the time limit is over.
   * @template T @param {Promise<T>} result @param {string} action @returns {Promise<T>}
   */
  wait(result, action) {
    const timer = new AbortController()
    const limit = sleep(timeLimit, undefined, timer).then(() => {
      throw new Error(`no answer within ${timeLimit / 1000} seconds: ${action}`)
    })
    return Promise.race([result, this.ended, limit]).finally(() => timer.abort())
  }
}

/**
 * @typedef {object} Gateway A gateway.
 * @property {string} service The URL for batches and administration.
 * @property {string} courier The URL for devices.
 * @property {string} [provider] The URL for APNs clients with TLS.
 * @property {string} [providerPlaintext] The URL for APNs clients without TLS.
 * @property {string} [ca] The path of the certificate that APNs clients trust.
 * @property {string[]} agentOptions The options with which an agent finds the gateway, and uses its clock.
 */

/** @type {Promise<Gateway> | undefined} */
let gateway

/**
 * Uses a running gateway. Call it before the first test starts devices.
 * @param {string} url The URL of its service API, such as `http://waypost:7330`.
 * @returns {Promise<Gateway>}
 */
export function connectGateway(url) {
  return (gateway = connect(url.replace(/\/$/, '')))
}

/** @param {string} service @returns {Promise<Gateway>} */
async function connect(service) {
  const { courier, provider, providerPlaintext } = await (await call(service, '/health')).json()
  const [authority, clock] = [await call(service, '/v1/ca.pem'), await (await call(service, '/v1/clock')).json()]
  const ca = authority.ok ? join(folder, 'ca.pem') : undefined
  if (ca) writeFileSync(ca, await authority.text())
  const agentOptions = ['--gateway', service, '--clock', clock.clock === 'manual' ? 'gateway' : 'system']
  return { service, courier, provider, providerPlaintext, ca, agentOptions }
}

/** Calls the service API. A gateway that does not answer yet gets some seconds. */
async function call(/** @type {string} */ service, /** @type {string} */ path, { method = 'GET', seconds = 10 } = {}) {
  const url = new URL(service + path)
  const { WAYPOST_ADMIN_TOKEN } = process.env
  const headers = WAYPOST_ADMIN_TOKEN ? { authorization: `Bearer ${WAYPOST_ADMIN_TOKEN}` } : undefined
  for (const end = Date.now() + seconds * 1000; ; await sleep(100)) {
    let response
    try {
      // A deletion is not repeated, so a busy gateway gets more time for it.
      const signal = AbortSignal.timeout(method === 'DELETE' ? 30_000 : 5000)
      response = await fetch(url, { method, headers, signal })
    } catch (error) {
      if (Date.now() < end) continue
      throw new Error(`the gateway ${service} cannot be reached: ${error.cause?.message ?? error.message}`)
    }
    const isExpected = response.ok || (response.status === 404 && path === '/v1/ca.pem')
    if (isExpected && path === '/health' && !response.headers.get('content-type')?.includes('json')) {
      throw new Error(`${service} is not a gateway: its answer to ${path} is not JSON`)
    }
    if (isExpected) return response
    throw new Error(`the gateway ${service} answered ${response.status} to ${path}: ${await response.text()}`)
  }
}

/** Returns the gateway of all tests, which starts with the first call. */
function findGateway() {
  const { WAYPOST_GATEWAY } = process.env
  return (gateway ??= WAYPOST_GATEWAY ? connectGateway(WAYPOST_GATEWAY) : startGateway())
}

/**
 * Lets the gateway know a key with which a back end signs its tokens.
 * @param {{ file: string, id: string, team: string }} [own] A key of your own, in a .p8 file. Default: a new key.
 * @returns {Promise<{ file: string, id: string, team: string }>} The key.
 */
export async function gatewayKey(own) {
  const id = randomBytes(5).toString('hex').toUpperCase()
  const key = own ?? { file: join(folder, `AuthKey_${id}.p8`), id, team: 'TEAM123456' }
  const command = own ? ['import', own.file] : ['create', '--out', key.file]
  const options = ['--id', key.id, '--team', key.team, '--gateway', (await findGateway()).service]
  await promisify(execFile)('waypost', ['keys', ...command, ...options], { env: environment() })
  return key
}

/** @returns {Promise<Gateway>} */
async function startGateway() {
  // The gateway requires it only with authentication.
  process.env.WAYPOST_ADMIN_TOKEN ||= randomBytes(32).toString('hex')
  const listeners = ['--service', '--courier', '--provider', '--provider-plaintext'].flatMap((name) => [name, '127.0.0.1:0'])
  const files = ['--ready-file', readyFile, '--ca', join(folder, 'ca')]
  const options = ['--store', 'memory', '--clock', 'manual', '--exit-on-eof', ...files]
  const program = new Program(['waypost-gateway', ...listeners, ...options], 'gateway.log')
  const { stdin, stdout } = program.process
  // It writes the ready file first, and then to standard output.
  await program.wait(new Promise((resolve) => stdout.once('data', resolve)), 'start the gateway')
  // Node must not wait for the end of the gateway, which waits for the end of Node.
  for (const handle of [program.process, stdin, stdout]) handle.unref()
  const agentOptions = ['--gateway-ready-file', readyFile, '--clock', 'gateway']
  return { ...JSON.parse(readFileSync(readyFile, 'utf8')), agentOptions }
}

/** The devices of a test. */
class Devices {
  #program
  #files
  /** The files and steps that were sent, with the folders of their paths. @type {{ folder: string, text: string }[]} */
  #sentTexts = []
  #lines = 0
  #mustFinish = false
  /** @type {Map<number, (answer: any) => void>} */
  #waiting = new Map()

  /** @param {Gateway} gateway @param {(string | URL)[]} files */
  constructor(gateway, files) {
    this.gateway = gateway
    this.namespace = `test-${randomUUID()}`
    this.#files = files.map((file) => resolve(file instanceof URL ? fileURLToPath(file) : file))
    const options = ['--stdio', '--namespace', this.namespace, ...gateway.agentOptions]
    for (const file of this.#files) options.push('--device', file)
    const command = (process.env.WAYPOST_AGENT_COMMAND ?? '').split(/\s+/).filter(Boolean)
    const program = command.length ? [...command, '--request-files'] : ['waypost-agent']
    this.#program = new Program([...program, ...options], `${this.namespace}.log`)
    /** @type {Record<string, string>} The tokens that the devices have now, by their names. */
    this.tokens = {}
  }

  async start() {
    const ready = new Promise((resolve) => {
      createInterface(this.#program.process.stdout).on('line', (text) => {
        const line = JSON.parse(text)
        if (line.ready) resolve(line)
        if (line.outcome) this.#waiting.get(line.id)?.(line)
        if (line.file) this.#sendFile(line.file) // other lines are events
      })
    })
    const { devices } = await this.#program.wait(ready, 'start the devices')
    this.tokens = Object.fromEntries(devices.map(({ name, token }) => [name, token]))
    this.#mustFinish = true
  }

  /** Sends the agent a file that it has requested: a device file, or one that a sent file or a step names. */
  #sendFile(/** @type {string} */ file) {
    const answer = { file }
    const path = resolve(file)
    const isNamed = this.#sentTexts.some(({ folder, text }) => text.includes(path) || text.includes(relative(folder, path)))
    try {
      if (!isNamed && !this.#files.includes(path)) throw new Error('the test does not name it, so the agent does not get it')
      if (!statSync(path).isFile()) throw new Error('it is not a file')
      answer.text = readFileSync(path, 'utf8')
      this.#sentTexts.push({ folder: dirname(path), text: answer.text })
    } catch (error) {
      answer.problem = error.message
    }
    this.#program.process.stdin.write(`${JSON.stringify(answer)}\n`)
  }

  /** Performs a step, and checks what it expects. @param {object} step @returns {Promise<Answer>} */
  async step(step) {
    const id = ++this.#lines
    const line = JSON.stringify({ ...step, id })
    const result = new Promise((resolve) => this.#waiting.set(id, resolve))
    this.#sentTexts.push({ folder: process.cwd(), text: line })
    this.#program.process.stdin.write(`${line}\n`)
    const answer = await this.#program.wait(result, line)
    if (answer.warning) process.emitWarning(`${answer.warning}\n${line}`, 'WaypostWarning')
    if (answer.outcome === 'passed') return answer
    this.#mustFinish = false
    if (answer.outcome === 'refused') throw new Error(`${answer.message}\n${line}`)
    const values = (key) => Object.fromEntries(answer.differences.map((each) => [each.field, each[key]]))
    const [actual, expected] = [values('actual'), values('expected')]
    const message = [answer.message, answer.explanation].filter(Boolean).join('\n\n')
    throw new AssertionError({ message, actual, expected, stackStartFn: this.step })
  }

  /**
   * Removes an app. Senders to its own tokens get 410 from now on, or 200 until the time `after` is over.
   * @param {string} device @param {string} app @param {{ after?: string }} [options] @returns {Promise<Answer>}
   */
  uninstall(device, app, { after } = {}) {
    return this.step({ uninstall: { device, app, after } })
  }

  /**
   * Installs an app again as it was, with new tokens. If it is there, it is removed before.
   * @param {string} device @param {string} app @returns {Promise<Answer>}
   */
  reinstall(device, app) {
    return this.#stepWithNewToken(device, { reinstall: { device, app } })
  }

  /**
   * Installs an app over itself, as an update does. Its tokens stay.
   * @param {string} device @param {string} app @returns {Promise<Answer>}
   */
  update(device, app) {
    return this.step({ update: { device, app } })
  }

  /**
   * Gives a device another token, or an app one of a kind. The answer has the new `token` and the `previous` one.
   * @param {string} device @param {{ app?: string, token?: string }} [options] @returns {Promise<Answer>}
   */
  rotateToken(device, { app, token } = {}) {
    return this.#stepWithNewToken(device, { 'rotate-token': { device, app, token } })
  }

  /**
   * Restores the backup of a device on another one, or on the same: the apps and settings are there, and all tokens are new.
   * @param {string} device @param {string} source The device of the backup. @returns {Promise<Answer>}
   */
  restoreBackup(device, source) {
    return this.#stepWithNewToken(device, { 'restore-backup': { device, from: source } })
  }

  /**
   * Changes the answer to senders: `active`, `unregistered` or `expired` (410), or `wrongEnvironment`.
   * @param {string} device @param {string} state @param {{ app?: string, token?: string }} [options]
   * @returns {Promise<Answer>}
   */
  standing(device, state, { app, token } = {}) {
    return this.step({ standing: { device, state, app, token } })
  }

  /** Performs a step, and reads the token of a device, which may have changed. @returns {Promise<Answer>} */
  async #stepWithNewToken(/** @type {string} */ device, /** @type {object} */ step) {
    const answer = await this.step(step)
    const { answer: statuses } = await this.step({ call: { at: device, path: '/v1/devices' } })
    for (const { name, token } of statuses) if (name === device && token) this.tokens[name] = token
    return answer
  }

  /** Checks everything that must `never` happen, unless the test has failed already, and ends the devices. */
  async finish() {
    try {
      if (this.#mustFinish) await this.step({ finish: true })
    } finally {
      this.#program.process.stdin.end()
      setTimeout(() => this.#program.process.kill('SIGKILL'), 10_000).unref()
      if (this.gateway.agentOptions[0] === '--gateway') {
        // The gateway keeps running. If it does not, the result of the test is what counts.
        await this.#program.ended.catch(() => {})
        const path = `/v1/namespaces/${this.namespace}`
        await call(this.gateway.service, path, { method: 'DELETE', seconds: 0 }).catch(() => {})
      }
    }
  }
}

/**
 * Starts devices, which end with the test. All tests of a process share a gateway, which ends with the process if no
 * other one is used.
 * @param {import('node:test').TestContext} test @param {...(string | URL)} files The device files.
 */
export async function startDevices(test, ...files) {
  const devices = new Devices(await findGateway(), files)
  test.after(() => devices.finish())
  await devices.start()
  return devices
}
