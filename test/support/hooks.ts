import { takeReplyFaults } from './app.ts'

export const mochaHooks = {
  afterEach() {
    const faults = takeReplyFaults()
    if (faults.length > 0) throw new Error(`answers that the document does not describe: ${faults.join('; ')}`)
  },
}
