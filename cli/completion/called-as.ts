import { basename } from 'node:path'
import { isSea } from 'node:sea'

/** The words with which a shell starts this program. */
export interface Calls {
  /** The names of the program: a shell completes them alone, and at the end of a path. */
  names: string[]
  /** Programs whose first argument is such a name, as in `npx mayfly`. */
  launchers: string[]
}

/** How the program was called this time: as `mayfly`, as `./mayfly-linux-x64`, by `npx mayfly` or `node cli/mayfly.js`. */
export function calledAs(env: Record<string, string | undefined>): Calls {
  const name = basename(isSea() ? process.execPath : process.argv[1]!)
  const launchers = [
    ...env['npm_command'] === 'exec' ? ['npx'] : [],
    ...name.endsWith('.js') ? ['node'] : [],
  ]
  return { names: [...new Set(['mayfly', name])].filter((name) => /^[\w.-]+$/.test(name)), launchers }
}
