import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanups } from './cleanups.ts'
import { answered, takeReplyFaults } from './replies.ts'

/** Unhandled rejections: they would end a server, but do not fail a test of mocha. */
const rejections = new Set<unknown>()
process.on('unhandledRejection', (reason) => rejections.add(reason))

export const mochaHooks = {
  afterEach() {
    const faults = takeReplyFaults()
    if (faults.length > 0) throw new Error(`answers that the document does not describe: ${faults.join('; ')}`)
    const [cause, ...others] = rejections
    rejections.clear()
    if (cause !== undefined) throw new Error(`an unhandled rejection, and ${others.length} more`, { cause })
  },

  /** Runs in each process of a run, after each test file; without `--parallel`, after all. */
  async afterAll() {
    for (const cleanup of cleanups) {
      cleanups.delete(cleanup)
      await cleanup()
    }
    const folder = process.env['TEST_RUN_FOLDER']
    if (folder) writeFileSync(join(folder, `answers-${process.pid}.json`), JSON.stringify([...answered]))
  },
}
