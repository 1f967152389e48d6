import { takeReplyFaults } from './replies.ts'

/** What nobody handled: it would have ended a server, and mocha lets it pass. */
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
}
