// Waypost for tests with node:test. Copy this file next to your tests; it needs Node 20 or later, and nothing else.
// docs/stdio.md describes the protocol, and docs/scenarios.md the steps.

import { AssertionError } from 'node:assert'
import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

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

/** A program of Waypost. It ends when its standard input does, so also if this process is killed. */
class Program {
  /** @param {string} name @param {string[]} options @param {string} log The name of the file for its messages. */
  constructor(name, options, log) {
    const path = join(folder, log)
    const messages = openSync(path, 'w')
    const { WAYPOST_BIN, PATH = '' } = process.env
    const env = { ...process.env, PATH: WAYPOST_BIN ? WAYPOST_BIN + delimiter + PATH : PATH }
    this.process = spawn(name, options, { env, stdio: ['pipe', 'pipe', messages] })
    closeSync(messages)
    this.process.stdin.on('error', () => {}) // 'ended' reports it
    /** @type {Promise<never>} Rejects when the program has ended. */
    this.ended = new Promise((_, reject) => {
      this.process.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
        const places = WAYPOST_BIN ? `in WAYPOST_BIN (${WAYPOST_BIN}) or on the PATH` : 'on the PATH'
        const advice = "run 'make programs' in a clone of Waypost, and set WAYPOST_BIN to its folder .build/bin"
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

/** @type {Promise<{ service: string, courier: string, providerPlaintext: string }> | undefined} */
let gateway

async function startGateway() {
  const listeners = ['--service', '--courier', '--provider-plaintext'].flatMap((name) => [name, '127.0.0.1:0'])
  const options = ['--store', 'memory', '--clock', 'manual', '--ready-file', readyFile, '--exit-on-eof']
  const program = new Program('waypost-gateway', [...listeners, ...options], 'gateway.log')
  const { stdin, stdout } = program.process
  // It writes the ready file first, and then to standard output.
  await program.wait(new Promise((resolve) => stdout.once('data', resolve)), 'start the gateway')
  // Node must not wait for the end of the gateway, which waits for the end of Node.
  for (const handle of [program.process, stdin, stdout]) handle.unref()
  return JSON.parse(readFileSync(readyFile, 'utf8'))
}

/** The devices of a test. */
class Devices {
  #program
  #lines = 0
  #mustFinish = false
  /** @type {Map<number, (answer: any) => void>} */
  #waiting = new Map()

  /** @param {Awaited<typeof gateway>} gateway @param {string} namespace @param {(string | URL)[]} files */
  constructor(gateway, namespace, files) {
    /** The URLs of the gateway: `service` for batches and administration, `providerPlaintext` for APNs clients. */
    this.gateway = gateway
    this.namespace = namespace
    const options = ['--stdio', '--clock', 'gateway', '--namespace', namespace, '--gateway-ready-file', readyFile]
    for (const file of files) options.push('--device', file instanceof URL ? fileURLToPath(file) : file)
    this.#program = new Program('waypost-agent', options, `${namespace}.log`)
    /** @type {Record<string, string>} The tokens by the names of the devices. */
    this.tokens = {}
  }

  async start() {
    const ready = new Promise((resolve) => {
      createInterface(this.#program.process.stdout).on('line', (text) => {
        const line = JSON.parse(text)
        if (line.ready) resolve(line)
        if (line.outcome) this.#waiting.get(line.id)?.(line) // other lines are events
      })
    })
    const { devices } = await this.#program.wait(ready, 'start the devices')
    this.tokens = Object.fromEntries(devices.map(({ name, token }) => [name, token]))
    this.#mustFinish = true
  }

  /** Performs a step, and checks what it expects. @param {object} step @returns {Promise<Answer>} */
  async step(step) {
    const id = ++this.#lines
    const line = JSON.stringify({ ...step, id })
    const result = new Promise((resolve) => this.#waiting.set(id, resolve))
    this.#program.process.stdin.write(`${line}\n`)
    const answer = await this.#program.wait(result, line)
    if (answer.outcome === 'passed') return answer
    this.#mustFinish = false
    if (answer.outcome === 'refused') throw new Error(`${answer.message}\n${line}`)
    const values = (key) => Object.fromEntries(answer.differences.map((each) => [each.field, each[key]]))
    const [actual, expected] = [values('actual'), values('expected')]
    const message = [answer.message, answer.explanation].filter(Boolean).join('\n\n')
    throw new AssertionError({ message, actual, expected, stackStartFn: this.step })
  }

  /** Checks everything that must `never` happen, unless the test has failed already, and ends the devices. */
  async finish() {
    try {
      if (this.#mustFinish) await this.step({ finish: true })
    } finally {
      this.#program.process.stdin.end()
      setTimeout(() => this.#program.process.kill('SIGKILL'), 10_000).unref()
    }
  }
}

let tests = 0

/**
 * Starts devices, which end with the test. All tests of a process share a gateway, which ends with the process.
 * @param {import('node:test').TestContext} test @param {...(string | URL)} files The device files.
 */
export async function startDevices(test, ...files) {
  const devices = new Devices(await (gateway ??= startGateway()), `test-${++tests}`, files)
  test.after(() => devices.finish())
  await devices.start()
  return devices
}
