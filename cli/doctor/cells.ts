import { pino } from 'pino'
import type { OtherCell } from '../../server/outbound/other-cell.ts'
import { Cells } from '../../server/outbound/cells.ts'
import { ok, problem, warning } from './check.ts'
import type { Check, Finding } from './check.ts'

/** Whether each of the other cells answers, by HTTP and by SMTP, and knows this one. */
export const cells: Check = {
  name: 'cells',
  appliesTo: ({ config }) => config.cells !== null,
  async run({ config }) {
    const all = new Cells(config.defaultDomain, config.cells!, { log: pino({ level: 'silent' }), lookupFailed() {} })
    try {
      return await Promise.all(all.others.map((other) => checkCell(other, all, config.defaultDomain)))
    } finally {
      all.close()
    }
  },
}

async function checkCell(other: OtherCell, all: Cells, own: string): Promise<Finding> {
  const { name, url, smtp } = other.place
  try {
    const { cell, cells } = await other.call([])
    if (cell !== name) return problem(`${cell} answers at ${url}, which MAYFLY_CELLS has for ${name}`, 'Mend MAYFLY_CELLS.')
    if (!cells.includes(own)) return problem(`${name} does not have ${own} in its MAYFLY_CELLS`, 'Give all cells the same MAYFLY_CELLS.')
    const missing = [...cells, ...all.names].filter((each) => !cells.includes(each) || !all.names.includes(each))
    if (missing.length > 0) return warning(`${name} has another list of cells: ${missing.join(', ')}`, 'Give all cells the same MAYFLY_CELLS.')
  } catch (error) {
    return problem(`${name} does not answer at ${url}: ${(error as Error).message}`, `Its accounts get 503, and unknown keys too. Look at its nodes, and at MAYFLY_CELLS.`)
  }
  try {
    const session = await all.openMail(other, { address: '127.0.0.1', helo: own, isTls: true })
    session.close()
    return ok(`${name} answers`)
  } catch (error) {
    const { cause } = error as Error
    const reason = cause instanceof Error ? `: ${cause.message}` : ''
    return problem(`${name} does not take mail at ${smtp.host}:${smtp.port}${reason}`, 'Its mail gets 451. Look at its port of SMTP, and at MAYFLY_CELLS.')
  }
}
