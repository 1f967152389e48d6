import { ConfigError, configFrom } from '../../server/config/config.ts'
import { effectiveEnvironment } from '../../server/config/config-file.ts'
import type { EffectiveEnvironment, Environment } from '../../server/config/config-file.ts'
import { ok, problem, warning } from './check.ts'
import type { Finding } from './check.ts'
import { nearestName } from './nearest-name.ts'

/** Variables of the SDK, its examples, this command and the documented webhook receiver. */
const clientVariables = ['MAYFLY_API_KEY', 'MAYFLY_DEBUG', 'MAYFLY_WEBHOOK_SECRET']

const isOurs = (name: string) => name.startsWith('MAYFLY_')

/** Reports each variable that is wrong or unknown. Values are not repeated: some are passwords. */
export function readVariables(env: Environment): Finding[] {
  const { effective, unreadable } = readEnvironment(env)
  const set = Object.keys(effective.values).filter(isOurs).sort()
  const findings = [
    ...[...unreadable, ...wrongVariables(effective)].map((sentence) => problem(sentence, 'Mend it and run this again: the server does not start with it, and the other checks were not made.')),
    ...unknownVariables(env).map(({ name, nearest }) => warning(`${name} is not a variable of Mayfly`,
      `${nearest ? `Did you mean ${nearest}? ` : 'Check its spelling. '}docs/settings.md lists the variables.`)),
  ]
  return findings.length > 0 ? findings : [ok(set.length > 0 ? `${set.join(', ')} can be used` : notSet)]
}

const notSet = 'none is set: these are the defaults, for this machine alone. For a server that was started with variables, set the same ones here'

/** @returns the environment without the file of MAYFLY_CONFIG, and the reason, when it cannot be read */
function readEnvironment(env: Environment): { effective: EffectiveEnvironment, unreadable: string[] } {
  try {
    return { effective: effectiveEnvironment(env), unreadable: [] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { effective: effectiveEnvironment({ ...env, MAYFLY_CONFIG: undefined }), unreadable: [error.message] }
  }
}

/** Unknown names: those that begin with `MAYFLY_`, and all of the file of `MAYFLY_CONFIG`. Each has the most similar known name. */
export function unknownVariables(env: Environment): { name: string, nearest: string | undefined }[] {
  const known = [...defaultsOf(effectiveEnvironment({})).keys(), ...clientVariables]
  const set = [...Object.keys(env).filter(isOurs), ...readEnvironment(env).effective.fileNames]
  return [...new Set(set)].filter((name) => !known.includes(name)).sort().map((name) => ({ name, nearest: nearestName(name, known) }))
}

/** The defaults that the server and the other checks use for variables that are not set. */
export function readDefaults(env: Environment): Finding {
  const effective = effectiveEnvironment(env)
  const taken = [...defaultsOf(effective)].filter(([name, fallback]) => fallback && !(name in effective.values))
  return ok(taken.length > 0 ? taken.map(([name, fallback]) => `${name}=${fallback}`).join(', ') : 'none is used')
}

/** The variables that the configuration has, each with its default. */
function defaultsOf(effective: EffectiveEnvironment): Map<string, string> {
  const defaults = new Map<string, string>()
  configFrom(effective, (name, fallback) => defaults.set(name, fallback))
  return defaults
}

/** `configFrom` throws for the first wrong variable, so it is repeated without that variable. */
function wrongVariables({ values, ...effective }: EffectiveEnvironment): string[] {
  try {
    configFrom({ ...effective, values })
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const named = /^[A-Z_, ]+(?=:| \()/.exec(error.message)?.[0].split(', ') ?? []
    const rest = Object.fromEntries(Object.entries(values).filter(([name]) => !named.includes(name)))
    return [error.message, ...Object.keys(rest).length < Object.keys(values).length ? wrongVariables({ ...effective, values: rest }) : []]
  }
}
