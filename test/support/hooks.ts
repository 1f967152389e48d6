import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answered, takeReplyFaults } from './replies.ts'

/** Rejections without a handler: they would end a server, and mocha lets them pass. */
const rejections = new Set<unknown>()
process.on('unhandledRejection', (reason) => rejections.add(reason))

export const mochaHooks = {
  afterEach() {
    const faults = takeReplyFaults()
    if (faults.length > 0) throw new Error(`answers that the document does not describe: ${faults.join('; ')}`)
    const [cause, ...others] = rejections
    rejections.clear()
    if (cause !== undefined) throw new Error(`a rejection that nobody handled, and ${others.length} more`, { cause })
  },

  /** In each process of a run, after each of its files. */
  afterAll() {
    const folder = process.env['TEST_RUN_FOLDER']
    if (folder) writeFileSync(join(folder, `answers-${process.pid}.json`), JSON.stringify([...answered]))
  },
}
