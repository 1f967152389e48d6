import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Mocha from 'mocha'

/** The number of tests of a lane by their result. */
export interface LaneStats {
  passes: number
  failures: number
  pending: number
}

/** The default reporter of mocha, which also writes the totals of a lane for `test/main.ts`. */
export default class LaneReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options)
    const { TEST_RUN_FOLDER: folder, TEST_LANE: lane } = process.env
    runner.once('end', () => {
      const { passes, failures, pending } = runner.stats!
      writeFileSync(join(folder!, `lane-${lane}.json`), JSON.stringify({ passes, failures, pending } satisfies LaneStats))
    })
  }
}
