import { expect } from 'chai'
import { openHostileServer } from '../sdk/hostile-server.ts'
import type { Behaviour, HostileConnection } from '../sdk/hostile-server.ts'
import { programs, runPython, withPython } from './python.ts'

/** Maximum memory of a client, in bytes, that a server may fill. */
const maxFilledBytes = 64 * 1024 * 1024

const json = ['addresses.list', 'addresses.create', 'emails.get', 'emails.wait', 'emails.wait_for']
const files = ['emails.raw', 'emails.attachment']

interface Trial {
  behaviour: Behaviour
  call: string
}

interface TrialResult extends Trial {
  outcome: string
  connections: HostileConnection[]
}

const trialsOf = (behaviours: Behaviour[], names: string[]): Trial[] =>
  behaviours.flatMap((behaviour) => names.map((call) => ({ behaviour, call })))

/** The outcome of each trial, and its connections after the client closed them. */
async function runTrials(trials: Trial[], timeoutSeconds: number): Promise<TrialResult[]> {
  const byName = new Map(trials.map((trial, number) => [`trial${number}`, trial]))
  await using server = await openHostileServer((name) => byName.get(name)!.behaviour)
  const calls = Object.fromEntries([...byName].map(([name, { call }]) => [name, call]))
  const outcomes = JSON.parse(await runPython(
    ['-X', 'dev', '-W', 'error', `${programs}/hostile_calls.py`, server.url, JSON.stringify(calls), String(timeoutSeconds)],
  )) as Record<string, string>
  await server.closed()
  return [...byName].map(([name, trial]) => ({
    ...trial, outcome: outcomes[name] ?? 'none', connections: server.connections.filter((connection) => connection.name === name),
  }))
}

withPython('Python SDK: connections to a hostile server', function () {
  it('end by the timeout in every phase of an answer', async function () {
    this.timeout(60_000)
    const stalls: Behaviour[] = ['stalls before the headers', 'stalls within the headers', 'stalls within the body']
    for (const { behaviour, call, outcome, connections } of await runTrials(trialsOf(stalls, [...json, ...files]), 1)) {
      expect(outcome, `${call}, ${behaviour}`).to.match(/^MayflyTimeoutError: /)
      expect(connections, `${call}, ${behaviour}`).to.not.have.length(0)
      expect(connections.filter(({ isOpen }) => isOpen)).to.deep.equal([])
    }
  })

  it('are closed when the answer exceeds the maximum bytes, long before it fills 64 MiB', async function () {
    this.timeout(60_000)
    const trials = [
      ...trialsOf(['floods with a body'], ['addresses.list', 'emails.get', 'events.subscribe']),
      ...trialsOf(['floods with a web page'], ['emails.raw', 'events.subscribe']),
      ...trialsOf(['floods with an error'], ['addresses.create', 'emails.raw']),
    ]
    for (const { behaviour, call, outcome, connections } of await runTrials(trials, 30)) {
      const expected = behaviour === 'floods with an error' ? /^ServerError: .* answered 500 with application\/json/
        : behaviour === 'floods with a web page' ? /^UnexpectedAnswerError: .* answered 200 with text\/html, which is not Mayfly's/
          : call === 'events.subscribe' ? /^MayflyError: The stream has an event of more than 262144 characters/
            : /^UnexpectedAnswerError: .* of more than \d+ bytes, which are not read\./
      expect(outcome, `${call}, ${behaviour}`).to.match(expected)
      expect(connections.filter(({ isOpen }) => isOpen), call).to.deep.equal([])
      for (const { written } of connections) expect(written, call).to.be.below(maxFilledBytes)
    }
  })

  it('end in a NetworkError when they break within the answer', async function () {
    this.timeout(60_000)
    for (const { call, outcome } of await runTrials(trialsOf(['drops within the body'], ['addresses.list', 'emails.get', ...files]), 30)) {
      expect(outcome, call).to.match(/^NetworkError: .* closed the connection within the answer/)
    }
  })
})
