import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CliError, Interrupted } from '../cli-error.ts'
import { oneLine } from '../output.ts'

/** Asks on the terminal. @param fallback what an empty answer means */
export async function ask(question: string, fallback: string): Promise<string> {
  return await answer(`${question} [${oneLine(fallback)}] `, process.stderr) || fallback
}

/** Asks for a secret: what is typed is not shown. */
export const askHidden = (question: string): Promise<string> =>
  answer(`${question} (it is not shown) `, new Writable({ write: (_chunk, _encoding, done) => done() }))

async function answer(prompt: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 })
  process.stderr.write(prompt) // the terminal is in raw mode and echoes nothing
  let given: string | undefined
  try {
    given = await new Promise<string>((resolve, reject) => {
      // in raw mode Ctrl-C and Ctrl-D are keys like any other
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

/** What is piped in. */
export const readStdin = (): Promise<string> => text(process.stdin)
