import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import Mocha from 'mocha'

/** The result of one run of mocha: the number of tests by their result, and those that failed. */
export interface RunResult {
  passes: number
  pending: number
  failures: Failure[]
}

export interface Failure {
  /** The path of the test file in the project. */
  file: string
  title: string
  message: string
}

/** Time that a run has to end after its last test. */
const maxEndMs = 20_000

/** The default reporter of mocha, which also writes the result of a run to the file TEST_RESULT, and ends a run that a test keeps open. */
export default class RunReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options)
    const failures: Failure[] = []
    runner.on('fail', (test: Mocha.Runnable, error: Error) => {
      failures.push({ file: relative(process.cwd(), test.file ?? ''), title: test.fullTitle(), message: error.message })
    })
    runner.once('end', () => {
      const { passes, pending } = runner.stats!
      writeFileSync(process.env['TEST_RESULT']!, JSON.stringify({ passes, pending, failures } satisfies RunResult))
      setTimeout(() => {
        console.error(`a test has left open: ${process.getActiveResourcesInfo().join(', ')}`)
        process.exit(1)
      }, maxEndMs).unref()
    })
  }
}
