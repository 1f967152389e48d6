import { ConfigError, readConfig } from '../../server/config.ts'
import { readConfigFile } from '../../server/config-file.ts'
import { ok, problem, warning } from './check.ts'
import type { Finding } from './check.ts'
import { nearestName } from './nearest-name.ts'

/** Variables of the SDK, its examples, this command and the documented webhook receiver. */
const clientVariables = ['MAYFLY_API_KEY', 'MAYFLY_DEBUG', 'MAYFLY_WEBHOOK_SECRET']

/** Reports each variable that is wrong or unknown. Values are not repeated: some are passwords. */
export function readVariables(env: NodeJS.ProcessEnv): Finding[] {
  const set = Object.keys(env).filter((name) => /^MAYFLY_/.test(name)).sort()
  const findings = [
    ...wrongVariables(env).map((sentence) => problem(sentence, 'Mend it and run this again: the server does not start with it, and the other checks were not made.')),
    ...unknownVariables(env).map(({ name, nearest }) => warning(`${name} is not a variable of Mayfly`,
      `${nearest ? `Did you mean ${nearest}? ` : 'Check its spelling. '}docs/settings.md lists the variables.`)),
  ]
  return findings.length > 0 ? findings : [ok(set.length > 0 ? `${set.join(', ')} can be used` : notSet)]
}

const notSet = 'none is set: these are the defaults, for this machine alone. For a server that was started with variables, set the same ones here'

/** Unknown names: those that begin with `MAYFLY_`, and all of the file of `MAYFLY_CONFIG`. Each has the most similar known name. */
export function unknownVariables(env: NodeJS.ProcessEnv): { name: string, nearest: string | undefined }[] {
  const known = [...defaultsOf({}).keys(), ...clientVariables]
  const set = [...Object.keys(env).filter((name) => name.startsWith('MAYFLY_')), ...Object.keys(fileOf(env))]
  return [...new Set(set)].filter((name) => !known.includes(name)).sort().map((name) => ({ name, nearest: nearestName(name, known) }))
}

/** Empty when it cannot be read, which is reported as a wrong variable. */
function fileOf(env: NodeJS.ProcessEnv) {
  try {
    return readConfigFile(env['MAYFLY_CONFIG']?.trim() ?? '')
  } catch {
    return {}
  }
}

/** The defaults that the server and the other checks use for variables that are not set. */
export function readDefaults(env: NodeJS.ProcessEnv): Finding {
  const taken = [...defaultsOf(env)].filter(([name, fallback]) => fallback && !env[name]?.trim())
  return ok(taken.length > 0 ? taken.map(([name, fallback]) => `${name}=${fallback}`).join(', ') : 'none is used')
}

/** The variables that `readConfig` reads, each with its default. */
function defaultsOf(env: NodeJS.ProcessEnv): Map<string, string> {
  const defaults = new Map<string, string>()
  readConfig(env, (name, fallback) => defaults.set(name, fallback))
  return defaults
}

/** `readConfig` throws for the first wrong variable, so it is repeated without that variable. */
function wrongVariables(env: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const named = /^[A-Z_, ]+(?=:)/.exec(error.message)?.[0].split(', ') ?? []
    const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !named.includes(name)))
    return [error.message, ...Object.keys(rest).length < Object.keys(env).length ? wrongVariables(rest) : []]
  }
}
