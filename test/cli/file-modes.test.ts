import { expect } from 'chai'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { useDatabaseFolder, variablesOf } from './database-folder.ts'
import { serve } from './run.ts'
import { waitForFile } from '../support/wait-for-file.ts'

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

describe('CLI: permissions of the files of a database', function () {
  if (process.platform === 'win32') return
  const folder = useDatabaseFolder()
  let umask: number
  beforeEach(() => { umask = process.umask(0o022) })
  afterEach(() => process.umask(umask))

  const modesIn = (path: string) => Object.fromEntries(readdirSync(path).map((name) => [name, modeOf(join(path, name))]))

  it('a new database, its folder and its files are readable by their owner only', async () => {
    await using served = await folder.startServer()
    await waitForFile(join(folder.path, 'data'), (name) => name === 'mayfly.db-reserve', new Promise(() => {}))
    const modes = modesIn(join(folder.path, 'data'))
    expect(modes).to.include.keys('mayfly.db', 'mayfly.db-wal', 'mayfly.db-server', 'mayfly.db-reserve')
    expect(new Set(Object.values(modes))).to.deep.equal(new Set(['600']))
    expect(modeOf(join(folder.path, 'data'))).to.equal('700')
    expect((await served.stop()).code).to.equal(0)
  })

  it('the certificate of the SMTP ports for logins is in a file that clients can trust, and its key in the database alone', async () => {
    await using served = await serve({ ...variablesOf(folder.database), MAYFLY_SMTPS_PORT: '0', MAYFLY_LOG_LEVEL: 'silent' })
    const file = `${folder.database}-smtp.pem`
    const ca = readFileSync(file, 'utf8')
    expect(ca).to.match(/^-----BEGIN CERTIFICATE-----\n[^-]+-----END CERTIFICATE-----\n$/)
    expect([modeOf(file), modeOf(folder.database)]).to.deep.equal(['600', '600'])
    const [, port] = /smtps=127\.0\.0\.1:(\d+)$/.exec(served.lines.at(-1)!)!
    const socket = connect({ host: 'localhost', port: Number(port), ca })
    const [greeting] = await once(socket, 'data') as [Buffer]
    expect([socket.authorized, String(greeting)]).to.deep.equal([true, '220 mail.localhost ESMTP\r\n'])
    socket.destroy()
    expect((await served.stop()).code).to.equal(0)
  })

  it('a database that a command makes, and a back-up, are readable by their owner only', async () => {
    const [copy, restored] = ['copy.db', 'restored.db'].map((name) => join(folder.path, name)) as [string, string]
    await folder.createAccount('ada@example.org')
    await folder.run(['backup', copy])
    await folder.run(['restore', copy], restored)
    for (const file of [folder.database, copy, restored]) expect(modeOf(file), file).to.equal('600')
    expect(new Set(Object.values(modesIn(join(folder.path, 'data'))))).to.deep.equal(new Set(['600']))
  })

  it('an existing database keeps its mode; a back-up has that of its owner and group', async () => {
    await folder.createAccount('ada@example.org')
    await chmod(folder.database, 0o644)
    await folder.createAccount('grace@example.org')
    expect(modeOf(folder.database)).to.equal('644')
    const copy = join(folder.path, 'copy.db')
    await folder.run(['backup', copy])
    expect(modeOf(copy)).to.equal('640')
  })

  it('doctor warns of a database that other users can read, in a folder that they can enter', async () => {
    const data = join(folder.path, 'data')
    const finding = async () => (JSON.parse((await folder.run(['doctor', '--json'])).stdout) as { checks: { name: string, status: string, found: string }[] })
      .checks.filter(({ name, status }) => name === 'database' && status !== 'ok')
    expect(await finding()).to.deep.equal([])
    await folder.createAccount('ada@example.org')
    await chmod(folder.path, 0o755)
    expect(await finding()).to.deep.equal([])
    await chmod(folder.database, 0o644)
    expect(await finding()).to.deep.equal([]) // its folder is closed to them
    await chmod(data, 0o755)
    expect(await finding()).to.deep.equal([{
      name: 'database', status: 'warning', found: `${folder.database}: every user of this machine can read the mail in it (mode 644)`,
      advice: `chmod 600 ${folder.database}*`,
    }])
  })
})
