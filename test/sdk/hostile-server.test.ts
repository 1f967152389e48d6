import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { HostileCall } from './hostile-client.ts'
import { openHostileServer } from './hostile-server.ts'
import type { Behaviour, HostileConnection } from './hostile-server.ts'

const client = fileURLToPath(new URL('hostile-client.ts', import.meta.url))
/** Maximum memory of a client, in bytes, that a server may fill. */
const maxFilledBytes = 64 * 1024 * 1024

interface Trial extends HostileCall {
  behaviour: Behaviour
}

const endings = ['abort', 'time-out'] as const
const json = ['addresses.list', 'addresses.create', 'emails.get', 'emails.wait', 'emails.waitFor']
const files = ['emails.raw', 'emails.attachment']
const stalls: Behaviour[] = ['stalls before the headers', 'stalls within the headers', 'stalls within the body']

const trialsOf = (behaviours: Behaviour[], names: string[], ways: readonly HostileCall['ending'][]) => behaviours.flatMap((behaviour) =>
  names.flatMap((call) => ways.map((ending) => ({ behaviour, call, ending }))))
const named = (trials: Omit<Trial, 'name'>[]): Trial[] => trials.map((trial, number) => ({ ...trial, name: `trial${number}` }))
const describeTrial = ({ behaviour, call, ending }: Trial) => `${call}, ${behaviour}, ${ending}`

/** The result of each trial, in a client that outlives all of them; and the connections of each. */
async function runTrials(trials: Trial[]): Promise<{ trial: Trial, outcome: string, connections: HostileConnection[] }[]> {
  const byName = new Map(trials.map((trial) => [trial.name, trial]))
  await using server = await openHostileServer((name) => byName.get(name)!.behaviour)
  const child = spawn(process.execPath, ['--expose-gc', client, server.url, JSON.stringify(trials)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  try {
    const [line] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), exit.then(() => ['{}'])]) as [string]
    const outcomes = JSON.parse(line) as Record<string, string>
    await server.closed()
    return trials.map((trial) => ({
      trial, outcome: outcomes[trial.name] ?? 'none', connections: server.connections.filter(({ name }) => name === trial.name),
    }))
  } finally {
    child.kill('SIGKILL')
    await exit
  }
}

function outcomeOfFlood({ behaviour, call }: Trial): RegExp {
  if (behaviour === 'floods with an error') return call === 'emails.waitFor' ? /^Error: enough$/ : /^success$/
  return /^UnexpectedAnswerError: .* answered 200 with application\/json, of more than \d+ bytes, which are not read\./
}

describe('SDK: connections to a hostile server', function () {

  it('are closed after an abort or a time-out, in every phase of an answer, with and without garbage collections', async () => {
    const trials = named([
      ...trialsOf(stalls, [...json, ...files], endings),
      ...trialsOf(stalls, ['emails.raw, as it comes', 'events.subscribe'], ['abort']),
      ...trialsOf(['stalls before the headers'], ['emails.raw, as it comes'], ['time-out']),
    ])
    for (const { trial, outcome, connections } of await runTrials(trials)) {
      const what = describeTrial(trial)
      if (trial.ending === 'time-out') expect(outcome, what).to.match(/^TimeoutError: /)
      else expect(outcome, what).to.equal(trial.call === 'events.subscribe' ? 'success' : 'Error: enough')
      expect(connections, what).to.not.have.length(0)
      expect(connections.filter(({ isOpen }) => isOpen), what).to.deep.equal([])
    }
  })

  it('are closed when the answer exceeds the maximum bytes, long before it fills 64 MiB', async () => {
    const trials = named([
      ...trialsOf(['floods with a body'], ['emails.waitFor'], ['nothing']),
      // these are retried after 500
      ...trialsOf(['floods with an error'], ['emails.waitFor', 'events.subscribe'], ['abort']),
    ])
    for (const { trial, outcome, connections } of await runTrials(trials)) {
      const what = describeTrial(trial)
      expect(outcome, what).to.match(outcomeOfFlood(trial))
      expect(connections, what).to.not.have.length(0)
      expect(connections.filter(({ isOpen }) => isOpen), what).to.deep.equal([])
      for (const { written } of connections) expect(written, what).to.be.below(maxFilledBytes)
    }
  })

  it('are closed after an abort or a time-out in the middle of a flood that is a file', async () => {
    const trials = named([
      ...trialsOf(['floods with a body'], files, endings), ...trialsOf(['floods with a body'], ['emails.raw, as it comes'], ['abort']),
    ])
    for (const { trial, outcome, connections } of await runTrials(trials)) {
      const what = describeTrial(trial)
      expect(outcome, what).to.match(trial.ending === 'abort' ? /^Error: enough$/ : /^TimeoutError: /)
      expect(connections.map(({ isOpen }) => isOpen), what).to.deep.equal([false])
    }
  })

  it('end in a NetworkError when they break within the answer', async () => {
    const trials = named(trialsOf(['drops within the body'], ['emails.raw, as it comes'], ['abort']))
    for (const { trial, outcome, connections } of await runTrials(trials)) {
      expect(outcome, describeTrial(trial)).to.match(/^NetworkError: [\w.]+ got no answer from http:/)
      expect(connections.map(({ isOpen }) => isOpen), describeTrial(trial)).to.deep.equal([false])
    }
  })
})
