import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serverBuild } from './server-build.ts'

const { programs: { mayfly: program }, compileCache } = await serverBuild()
const root = fileURLToPath(new URL('../..', import.meta.url))

/** The `sh` blocks of a page. */
const blocksOf = (page: string): string[] =>
  [...readFileSync(`${root}/${page}`, 'utf8').matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block!)

/** `npx mayfly` without the time that npx takes; as a process of its own in the background, so that a signal reaches it. */
const shortNpx = 'npx() { shift; if [ "$BASHPID" != "$$" ]; then exec node "$PROGRAM" "$@"; fi; node "$PROGRAM" "$@"; }'

/**
 * Runs all blocks of a page, one after another in one shell in the checkout, until a command fails.
 * @param replace changes the text of the blocks, such as a port
 * @returns the exit code, the output of all commands, and the line that failed
 */
export function runPage(
  page: string, env: Record<string, string>, replace = (text: string) => text,
): Promise<{ code: number | null, output: string }> {
  const trap = 'trap \'echo "failed: $BASH_COMMAND" >&2\' ERR'
  const script = ['set -eE', trap, shortNpx, ...blocksOf(page).map(replace)].join('\n')
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', script], { cwd: root, timeout: 60_000, env: { PATH: path, PROGRAM: program, NODE_COMPILE_CACHE: compileCache, ...env } }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, output: stdout + stderr })
    })
  })
}
