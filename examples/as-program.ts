/** Runs an example as a program: `--help` prints its first comment, and an error prints one line and exits with 1. */
import { readFileSync } from 'node:fs'

const [, file, ...words] = process.argv
if (words.includes('--help') || words.includes('-h')) {
  const [, head] = /\/\*\*\n(.*?)\n \*\//s.exec(readFileSync(file!, 'utf8'))!
  console.log(head!.replaceAll(/^ \* ?/gm, ''))
  process.exit()
}

process.on('uncaughtException', ({ message, code, port }: NodeJS.ErrnoException & { port?: number }) => {
  console.error(code === 'EADDRINUSE' ? `Port ${port} is in use already. --help says how to choose another.` : message)
  process.exit(1)
})
