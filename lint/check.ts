import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import PQueue from 'p-queue'
import { readManifest } from '../build/manifest.ts'
import { root } from '../build/paths.ts'

/**
 * `npm run check`: runs every script `check:…` of package.json, as many at once as the machine has cores, and prints the output of those
 * that fail. Exit code 1 when one fails.
 */
const { scripts } = readManifest(root) as { scripts?: Record<string, string> }

/** Writes the generated files, which the others read. */
const alone = 'check:generated'
/** Those that take long begin first. */
const long = ['check:lint', 'check:types']
const others = Object.keys(scripts!).filter((name) => name.startsWith('check:') && name !== alone && !long.includes(name))

const queue = new PQueue({ concurrency: availableParallelism() })
const failed: string[] = []
await runScript(alone)
await queue.addAll([...long, ...others].map((name) => () => runScript(name)))
if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}`)
  process.exitCode = 1
}

function runScript(name: string): Promise<void> {
  return new Promise((resolve) => {
    const begun = performance.now()
    execFile('npm', ['run', '--silent', name], { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      console.log(`${error ? 'FAILED' : 'ok    '} ${name}, ${seconds} s`)
      if (error) {
        failed.push(name)
        console.log(`${stdout}${stderr}`)
      }
      resolve()
    })
  })
}
