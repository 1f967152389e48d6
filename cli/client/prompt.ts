import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CliError, Interrupted } from '../cli-error.ts'
import { oneLine } from '../output.ts'

/** Asks on the terminal. @param fallback the result of an empty answer */
export async function ask(question: string, fallback: string): Promise<string> {
  return await answer(`${question} [${oneLine(fallback)}] `, process.stderr) || fallback
}

/** Asks on the terminal, without a fallback. */
export const askText = (question: string): Promise<string> => answer(`${question} `, process.stderr)

/** Asks for a secret, which the terminal does not show. */
export const askHidden = (question: string): Promise<string> =>
  answer(`${question} (input is hidden) `, new Writable({ write: (_chunk, _encoding, done) => done() }))

async function answer(prompt: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 })
  process.stderr.write(prompt) // the terminal is in raw mode and echoes nothing
  let given: string | undefined
  try {
    given = await new Promise<string>((resolve, reject) => {
      // in raw mode the terminal does not handle Ctrl-C and Ctrl-D
      lines.once('SIGINT', () => reject(new Interrupted(130)))
      lines.once('close', () => reject(new CliError('There was no answer.')))
      lines.once('line', resolve)
    })
    return given
  } finally {
    lines.close()
    if (given === undefined || output !== process.stderr) process.stderr.write('\n')
  }
}

/** The text of stdin, when it is a pipe or a file. */
export const readStdin = (): Promise<string> => text(process.stdin)
