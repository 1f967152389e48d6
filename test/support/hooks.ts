import { document } from '../../server/contract/document.ts'
import { answerCoverage, isWholeRun } from './answer-coverage.ts'
import { answered, takeReplyFaults } from './replies.ts'
import { unanswered } from './unanswered.ts'

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

  afterAll(this: Mocha.Context) {
    if (!isWholeRun(this.test!.parent!)) return
    const { table, problems } = answerCoverage(document, answered, unanswered)
    console.log(`\n${table.join('\n')}`)
    if (problems.length > 0) throw new Error(`test/support/unanswered.ts does not fit what was answered:\n${problems.join('\n')}`)
  },
}
