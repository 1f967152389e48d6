import { ConfigError, readConfig } from '../../server/config.ts'
import { ok, problem, warning } from './check.ts'
import type { Finding } from './check.ts'

/** Variables of the SDK, its examples and this command. */
const ofOthers = ['MAYFLY_API_KEY', 'MAYFLY_DEBUG']

/** Each variable that is wrong, and those that nobody reads. Values are not repeated: some are passwords. */
export function readVariables(env: NodeJS.ProcessEnv): Finding[] {
  const set = Object.keys(env).filter((name) => /^MAYFLY_/.test(name)).sort()
  const known = [...variablesOfServer(), ...ofOthers]
  const unknown = set.filter((name) => !known.includes(name))
  const findings = [
    ...wrongVariables(env).map((sentence) => problem(sentence, 'Mend it and run this again: the server does not start, and the other checks wait.')),
    ...unknown.map((name) => warning(`${name} is read by nobody`, 'Look for a slip in its name: the README lists the variables.')),
  ]
  return findings.length > 0 ? findings : [ok(set.length > 0 ? `${set.join(', ')} can be used` : 'none is set, the defaults are for this machine alone')]
}

/** The names that `readConfig` asks for. */
function variablesOfServer(): string[] {
  const names: string[] = []
  readConfig(new Proxy<Record<string, string>>({}, {
    get(_none, name) {
      names.push(String(name))
      return undefined
    },
  }))
  return names
}

/** `readConfig` stops at the first, so the next is found without those before. */
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
