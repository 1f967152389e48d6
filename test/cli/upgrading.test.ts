import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { serverBuild } from '../support/server-build.ts'

describe('Documents: docs/upgrading.md', function () {

  it('has commands that run one after the other, and leave a database and its back-ups', async () => {
    const text = readFileSync(new URL('../../docs/upgrading.md', import.meta.url), 'utf8')
    const commands = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block!).join('')
    const { programs, compileCache } = await serverBuild()
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-upgrading-'))
    try {
      const script = `set -e\nnpx() { shift; '${process.execPath}' '${programs.mayfly}' "$@"; }\n${commands}`
      const { stdout } = await promisify(execFile)('sh', ['-c', script], {
        cwd: folder, env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache, MAYFLY_MIN_FREE_BYTES: '0' },
      })
      expect(commands.match(/^npx mayfly /gm)!.length).to.equal(9)
      expect(stdout).to.include('restored ./data/mayfly.db from backups/monday.db; the old database is kept as ./data/mayfly.db-replaced-')
      expect((await readdir(join(folder, 'backups'))).sort()).to.deep.equal(['before-upgrade.db', 'monday.db'])
      expect((await readdir(join(folder, 'data'))).filter((name) => name.includes('-replaced-'))).to.have.length(2)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
