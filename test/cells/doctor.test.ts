import { expect } from 'chai'
import { cells as check } from '../../cli/doctor/cells.ts'
import { openCells } from '../support/cells.ts'
import type { TestCells } from '../support/cells.ts'
import { runCheck } from '../support/doctor-check.ts'

describe('Cells: mayfly doctor', () => {
  let world: TestCells
  before(async () => { world = await openCells(2) })
  after(() => world[Symbol.asyncDispose]())

  async function found(variables: Record<string, string> = {}) {
    const [a] = world.cells
    const findings = await runCheck(check, {
      ...world.env, MAYFLY_DEFAULT_DOMAIN: a!.name, MAYFLY_DATABASE: 'postgres://nobody@127.0.0.1:1/none', ...variables,
    })
    return [findings].flat().map(({ status, found: text }) => `${status} ${text.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')}`)
  }

  it('says that the other cell answers and knows this one', async () => {
    expect(await found()).to.deep.equal([`ok ${world.cells[1]!.name} answers`])
  })

  it('finds another secret, and a list of which the other cell has a part', async () => {
    const [, b] = world.cells
    expect(await found({ MAYFLY_CELLS_SECRET: 'another-secret-of-cells' })).to.deep.equal([
      `problem ${b!.name} does not answer at http://HOST: it has another MAYFLY_CELLS_SECRET, or no MAYFLY_CELLS`,
    ])
    const more = `${world.env['MAYFLY_CELLS']!}, z.mail.example http://127.0.0.1:1 127.0.0.1:1`
    expect((await found({ MAYFLY_CELLS: more })).map((text) => text.split(':')[0])).to.deep.equal([
      `warning ${b!.name} has another list of cells`, 'problem z.mail.example does not answer at http',
    ])
    expect(await found({ MAYFLY_DEFAULT_DOMAIN: 'z.mail.example', MAYFLY_CELLS: more })).to.include(
      `problem ${b!.name} does not have z.mail.example in its MAYFLY_CELLS`)
  })

  it('finds a cell that is unavailable, by SMTP alone too', async () => {
    const [, b] = world.cells
    b!.gates.smtp.set('unavailable')
    expect(await found()).to.deep.equal([`problem ${b!.name} does not take mail at HOST: it closes the connection`])
    const refused = world.env['MAYFLY_CELLS']!.replace(/ \S+$/, ' 127.0.0.1:1')
    expect(await found({ MAYFLY_CELLS: refused })).to.deep.equal([`problem ${b!.name} does not take mail at HOST: connect ECONNREFUSED HOST`])
    b!.set('unavailable')
    expect((await found())[0]).to.match(/^problem b\.mail\.example does not answer at http:\/\/HOST: /)
    b!.set('open')
  })
})
