import { expect } from 'chai'
import { join } from 'node:path'
import { openTestApp } from '../support/app.ts'
import { openNodes } from '../support/nodes.ts'
import { mayfly } from './run.ts'

describe('CLI: nodes', function () {

  it('lists the processes that serve a PostgreSQL database', async () => {
    await using world = await openNodes(2)
    const run = (...args: string[]) => mayfly(['nodes', ...args], { MAYFLY_DATABASE: world.database })
    const { code, stdout, stderr } = await run('--json')
    expect([code, stderr]).to.deep.equal([0, ''])
    const nodes = JSON.parse(stdout) as Record<string, unknown>[]
    expect(nodes.map(({ id }) => id)).to.deep.equal(world.nodes.map(({ app }) => app.node.id))
    for (const node of nodes) {
      expect(node).to.have.all.keys('id', 'label', 'version', 'startedAt', 'lastBeatAt', 'jobs')
      expect(node['label']).to.match(new RegExp(`/${process.pid}$`))
      expect(node['jobs']).to.equal(0)
      expect(Date.parse(String(node['lastBeatAt']))).to.be.at.least(Date.parse(String(node['startedAt'])))
    }
    const table = await run()
    expect([table.code, table.stderr]).to.deep.equal([0, ''])
    for (const { id } of nodes) expect(table.stdout).to.contain(String(id))
  })

  it('says of a file that one process serves it', async () => {
    await using app = await openTestApp({})
    const file = join(app.folder, 'mayfly.db')
    const run = (...args: string[]) => mayfly(['nodes', ...args], { MAYFLY_DATABASE: file })
    expect(await run()).to.deep.equal({
      code: 0, stdout: '', stderr: `One process serves the file ${file}. Several can serve a PostgreSQL database: MAYFLY_DATABASE=postgres://…\n`,
    })
    expect(await run('--json')).to.deep.equal({ code: 0, stdout: '[]\n', stderr: '' })
  })
})
