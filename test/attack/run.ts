import { join } from 'node:path'
import { pause } from './attack.ts'
import { attackMs, bars, quietMs } from './bars.ts'
import { startChild, startProbe } from './children.ts'
import type { Dns } from './dns.ts'
import { total } from './figures.ts'
import type { Counts } from './figures.ts'
import { openHttp } from './http-client.ts'
import type { Sample } from './probe.ts'
import type { Finding, Scenario, Target } from './scenario.ts'
import { openWorld } from './world.ts'
import type { Templates } from './world.ts'

export interface Result {
  name: string
  /** Measured before the attack, and during it. */
  quiet: Sample
  attacked: Sample
  rssMegabytes: number
  /** Growth of the database and its write-ahead log. */
  grownMegabytes: number
  /** The counted outcomes of the attackers. */
  answers: Counts
  findings: Finding[]
  /** Limits that were exceeded; empty when the scenario passes. */
  failures: string[]
}

/** Shared by all scenarios of a run. */
interface Surroundings {
  folder: string
  dns: Dns
  templates: Templates
}

/** Runs one scenario against a new server. */
export async function runScenario(scenario: Scenario, { folder, dns, templates }: Surroundings): Promise<Result> {
  const { name, variables, prepare } = scenario
  await using world = await openWorld(join(folder, name), { MAYFLY_DNS_SERVERS: dns.servers, ...variables }, { templates, prepare })
  const { target } = world
  await using probe = startProbe(target, scenario.isConnectingAnew)
  await probe.ask(warmUpMs)
  const quiet = await probe.ask<Sample>(quietMs)
  const before = world.fileMegabytes()
  const findings: Finding[] = []
  let attacked: Sample
  let answers: Counts = {}
  {
    await using attackers = startChild('./attackers.ts', [name, JSON.stringify(target)])
    const [sample, finding] = await Promise.all([probe.ask<Sample>(attackMs), scenario.during?.(target).catch(notMet)])
    attacked = sample
    if (attackers.hasEnded) findings.push({ says: 'the attackers ended before they were told to', isMet: false })
    else answers = await attackers.ask<Counts>('stop')
    if (finding) findings.push(finding)
  }
  findings.push(await recovery(target))
  const grownMegabytes = world.fileMegabytes() - before
  if (scenario.after) findings.push(await scenario.after(target).catch(notMet))
  if (world.hasEnded()) findings.push({ says: 'the server has ended', isMet: false })
  const rssMegabytes = world.rssMegabytes().max
  const result = { name, quiet, attacked, rssMegabytes, grownMegabytes, answers, findings }
  return { ...result, failures: failuresOf(result) }
}

/** Before the first measurement, so that the code of the processes is compiled. */
const warmUpMs = 500

const recoverySeconds = 10

/** Whether the server answers after the attack; then leaves it time to write delayed records. */
async function recovery({ httpPort, other }: Target): Promise<Finding> {
  const client = openHttp(httpPort, '127.0.0.1')
  const start = performance.now()
  try {
    const late = pause(recoverySeconds * 1000).then(() => undefined)
    const answer = await Promise.race([client.call({ path: '/addresses', key: other.key }), late]).catch(() => undefined)
    const seconds = (performance.now() - start) / 1000
    if (!answer) return { says: `no answer ${seconds.toFixed(1)} s after the attack`, isMet: false }
    await pause(500)
    return { says: `answers ${seconds.toFixed(1)} s after the attack`, isMet: true }
  } finally {
    client.close()
  }
}

const notMet = (error: unknown): Finding => ({ says: String(error), isMet: false })

function failuresOf({ attacked, rssMegabytes, findings }: Omit<Result, 'failures'>): string[] {
  return [
    ...attacked.http.p99 < bars.httpP99Ms ? [] : ['HTTP p99'],
    ...attacked.smtp.p99 < bars.smtpP99Ms ? [] : ['SMTP p99'],
    ...rssMegabytes < bars.rssMegabytes ? [] : ['memory'],
    ...total(attacked.errors) === 0 ? [] : ['errors'],
    ...findings.filter(({ isMet }) => !isMet).map(({ says }) => says),
  ]
}
