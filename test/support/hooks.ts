import { replyFaults } from './app.ts'

export const mochaHooks = {
  afterEach() {
    const faults = replyFaults.splice(0)
    if (faults.length > 0) throw new Error(`answers that the document does not describe: ${faults.join('; ')}`)
  },
}
