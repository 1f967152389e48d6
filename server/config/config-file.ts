import { readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'

export type Environment = Record<string, string | undefined>

/** A variable with an unusable value. The message names the variable and the values that it takes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** The variables that apply. */
export interface EffectiveEnvironment {
  /** Trimmed; an empty variable is the same as one that is not set. */
  values: Record<string, string>
  /** All names of the file that MAYFLY_CONFIG names, also those that the environment overrides. */
  fileNames: string[]
  /** The name of a variable, as an error begins: with the file and the line, where its value is from there. */
  label(name: string): string
}

/**
 * Reads the environment, and the file that MAYFLY_CONFIG names. The environment wins, except with an empty variable.
 * @param env the process environment, except in tests
 * @throws ConfigError when the file cannot be read, or naming its first line that is malformed
 */
export function effectiveEnvironment(env: Environment): EffectiveEnvironment {
  const given = withoutEmpty(env)
  const path = given['MAYFLY_CONFIG']
  const file = path === undefined ? { values: {}, lines: new Map<string, number>() } : readConfigFile(path)
  return {
    values: { ...withoutEmpty(file.values), ...given },
    fileNames: Object.keys(file.values),
    label: (name) => name in given || !file.lines.has(name) ? name : `${name} (${path}, line ${file.lines.get(name)})`,
  }
}

const withoutEmpty = (env: Environment): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value = '']) => value.trim() ? [[name, value.trim()]] : []))

/**
 * Reads a file of variables: `NAME=value` lines, with comments and quotes as Node's `--env-file` takes them. Errors are without the text of
 * a line, which may be a secret.
 */
function readConfigFile(path: string): { values: Environment, lines: Map<string, number> } {
  const text = readText(path)
  const lines = linesOfNames(text.split(/\r\n|\n|\r/), (line, problem) => {
    throw new ConfigError(`MAYFLY_CONFIG: ${path}, line ${line}: ${problem}`)
  })
  return { values: parseEnv(text), lines }
}

/** Opens regular files only: the opening of a FIFO waits for a writer, and a device may never end. */
function readText(path: string): string {
  const refuse = (reason: string): never => { throw new ConfigError(`MAYFLY_CONFIG: ${path} ${reason}`) }
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found) return refuse('is missing. Name a file with lines NAME=value, or unset the variable')
    if (found.isDirectory()) return refuse('is a folder. Name a file in it')
    if (!found.isFile()) return refuse('is not a regular file. Write the variables to a file, and name that')
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    if (error instanceof ConfigError) throw error
    return refuse('cannot be read. Let this user read the file and enter its folders')
  }
}

const quotes = ['"', "'", '`']

/**
 * Finds the lines of the variables. Node's parser skips lines that it does not understand.
 * @returns by name, the number of the line
 */
function linesOfNames(lines: string[], refuse: (line: number, problem: string) => never): Map<string, number> {
  const found = new Map<string, number>()
  for (let i = 0; i < lines.length; i++) {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(lines[i]!) ?? []
    if (name === undefined && /^\s*(#|$)/.test(lines[i]!)) continue
    if (name === undefined) return refuse(i + 1, 'is not NAME=value, nor a comment that begins with #')
    if (name === 'MAYFLY_CONFIG') return refuse(i + 1, 'MAYFLY_CONFIG has no effect in a file')
    const first = found.get(name)
    if (first !== undefined) return refuse(i + 1, `${name} is set in line ${first} already. Remove one of the two lines`)
    found.set(name, i + 1)
    const quote = quotes.find((each) => value!.startsWith(each))
    if (!quote || value!.indexOf(quote, 1) > 0) continue
    const end = lines.findIndex((line, at) => at > i && line.includes(quote))
    if (end < 0) return refuse(i + 1, `the quote ${quote} is not closed`)
    i = end // a value of several lines
  }
  return found
}
