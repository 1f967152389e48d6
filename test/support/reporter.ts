import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Mocha from 'mocha'

/** How many tests of a lane ended in which way. */
export interface LaneStats {
  passes: number
  failures: number
  pending: number
}

/** Mocha's own reporter, which also leaves the totals of a lane for `test/main.ts`. */
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
