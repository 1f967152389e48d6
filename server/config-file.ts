import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

const quotes = ['"', "'", '`']

/**
 * Reads a file of variables: `NAME=value` lines, with comments and quotes as Node's `--env-file` takes them.
 * @param path empty for no file
 * @throws Error naming the first line that is malformed; without its text, which may be a secret
 */
export function readConfigFile(path: string): Record<string, string | undefined> {
  if (!path) return {}
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`the file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  const problem = problemIn(text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/))
  if (problem) throw new Error(`${path}, line ${problem}`)
  return parseEnv(text.replace(/^\ufeff/, ''))
}

/** Node's parser skips lines that it does not understand. */
function problemIn(lines: string[]): string | undefined {
  for (let i = 0; i < lines.length; i++) {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(lines[i]!) ?? []
    if (name === undefined && /^\s*(#|$)/.test(lines[i]!)) continue
    if (name === undefined) return `${i + 1}: is not NAME=value, nor a comment that begins with #`
    if (name === 'MAYFLY_CONFIG') return `${i + 1}: MAYFLY_CONFIG has no effect in a file`
    const quote = quotes.find((each) => value!.startsWith(each))
    if (!quote || value!.indexOf(quote, 1) > 0) continue
    const end = lines.findIndex((line, at) => at > i && line.includes(quote))
    if (end < 0) return `${i + 1}: the quote ${quote} is not closed`
    i = end // a value of several lines
  }
  return undefined
}
