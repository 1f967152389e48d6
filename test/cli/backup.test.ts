import { expect } from 'chai'
import { chmod, copyFile, readdir, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { createNewerDatabase, isIntact, openDatabaseFile } from '../support/store/database-files.ts'
import { expectFailure, useDatabaseFolder, variablesOf } from './database-folder.ts'
import { hasTerminal, mayfly, start, startOnTerminal } from './run.ts'
import type { Served } from './run.ts'

describe('CLI: backup and restore', function () {
  const world = useDatabaseFolder()
  const { run, startServer, createAccount: account, accounts } = world
  let folder: string
  let database: string
  beforeEach(() => { ({ path: folder, database } = world) })

  it('backup copies a database while its server runs, as JSON or in one line, and leaves no other file', async () => {
    await using served = await startServer()
    await sendMail(served)
    const file = join(folder, 'copy.db')
    const text = await run(['backup', file])
    expect([text.code, text.stderr]).to.deep.equal([0, ''])
    expect(text.stdout).to.match(/^backup \S+\/copy\.db: \d+ bytes, 1 emails, checked, in \d+\.\d s\n$/)
    expectFailure(await run(['backup', file]), /copy\.db exists\. Name another file, or replace it with --force\./)
    const { code, stdout, stderr } = await run(['backup', file, '--force', '--json'])
    expect([code, stderr]).to.deep.equal([0, ''])
    const result = JSON.parse(stdout)
    expect(result).to.include({ file, bytes: (await stat(file)).size, emails: 1 })
    expect(result.rows).to.include({ accounts: 1, emails: 1, messages: 1, addresses: 1 })
    expect(await readdir(folder)).to.have.members(['copy.db', 'data'])
    expect(isIntact(file)).to.equal(true)

    await using other = await startServer(file)
    expect(other.lines.at(-1)).to.match(/^listening /)
    expect(await accounts(file)).to.deep.equal(['owner@mail.localhost'])
  })

  it('on a terminal shows how far it is, and elsewhere nothing', async function () {
    if (!hasTerminal()) return this.skip()
    await account('ada@example.org')
    const shown = async (args: string[]) => (await startOnTerminal(args, { ...variablesOf(database), NO_COLOR: '1' }).ended).stdout
    expect(await shown(['backup', join(folder, 'copy.db')])).to.match(/\r\x1b\[Kcopying █{30} 100 %.*\r\x1b\[Kbackup \S+copy\.db: \d+ bytes/)
    expect(await shown(['restore', join(folder, 'copy.db'), '--force'])).to.match(/restored \S+ from \S+copy\.db; the old database is kept as/)
    expect(await accounts(database)).to.deep.equal(['ada@example.org'])
  })

  it('backup refuses files of the database, folders, and disks without room', async () => {
    await account('ada@example.org')
    for (const name of [database, `${database}-wal`, `${database}-server`]) {
      expectFailure(await run(['backup', name, '--force']), /belongs to the database itself/)
    }
    expectFailure(await run(['backup', '', '--force']), /<file> is empty\. Name the file to write/)
    expectFailure(await run(['backup', folder, '--force']), /is not a file/)
    expectFailure(await run(['backup', join(folder, 'none', 'copy.db')]), /there is no folder \S+none\. Make it first\./)
    expectFailure(await run(['backup', join(folder, 'copy.db')], join(folder, 'other.db')), /MAYFLY_DATABASE: there is no file/)
    const full = await mayfly(['backup', join(folder, 'copy.db')], { ...variablesOf(database), MAYFLY_MIN_FREE_BYTES: String(2 ** 52) })
    expectFailure(full, /the copy needs \d+ bytes, and 4503599627370496 more, which MAYFLY_MIN_FREE_BYTES keeps free/)
    expect(await readdir(folder)).to.deep.equal(['data'])
  })

  it('backup removes the unfinished file of a killed back-up, and not that of a running one', async () => {
    await account('ada@example.org')
    const file = join(folder, 'copy.db')
    const ended = start(['--version'], {})
    await ended.ended
    const left = [`${file}-unfinished-${ended.child.pid}`, `${file}-unfinished-${ended.child.pid}-journal`]
    const running = `${file}-unfinished-${process.pid}`
    for (const name of [...left, running]) await writeFile(name, 'a part')
    expect((await run(['backup', file])).code).to.equal(0)
    expect((await readdir(folder)).map((name) => join(folder, name))).to.have.members([file, running, join(folder, 'data')])
  })

  it('restore puts a back-up in the place of the database, refuses an existing one, and moves it aside with --force', async () => {
    await account('ada@example.org')
    const file = join(folder, 'copy.db')
    await run(['backup', file])
    await account('grace@example.org')
    expectFailure(await run(['restore', file]), /mayfly\.db exists\. --force moves it aside, or name another file\./)
    const { stdout } = await run(['restore', file, '--force', '--json'])
    const { replaced, ...rest } = JSON.parse(stdout)
    expect(rest).to.deep.equal({ database, from: file })
    expect(await accounts()).to.deep.equal(['ada@example.org'])
    expect(await accounts(replaced)).to.deep.equal(['ada@example.org', 'grace@example.org'])
    expect(await accounts(file)).to.deep.equal(['ada@example.org'])

    const elsewhere = join(folder, 'new', 'folder', 'mayfly.db')
    expect((await run(['restore', file], elsewhere)).stdout).to.equal(`restored ${elsewhere} from ${file}\n`)
    expect(await accounts(elsewhere)).to.deep.equal(['ada@example.org'])
    await using served = await startServer()
    expectFailure(await run(['restore', file, '--force']), /another server(, process \d+,)? runs on \S+\. Stop it first/)
    expectFailure(await run(['restore', database], join(folder, 'third.db')), /A server runs on \S+\. "mayfly backup" copies its database\./)
    expect((await served.stop()).code).to.equal(0)
    expect(await accounts()).to.deep.equal(['ada@example.org'])
  })

  it('restore gives the new database the permissions of the old one, and needs none to write the back-up', async () => {
    await account('ada@example.org')
    const file = join(folder, 'copy.db')
    await run(['backup', file])
    await chmod(database, 0o640)
    await chmod(file, 0o444)
    expect((await run(['restore', file, '--force'])).code).to.equal(0)
    expect((await stat(database)).mode & 0o777).to.equal(0o640)
    const elsewhere = join(folder, 'new', 'mayfly.db')
    expect((await run(['restore', file], elsewhere)).code).to.equal(0)
    expect((await stat(elsewhere)).mode & 0o777).to.equal(0o600)
  })

  it('backup refuses a file with the log of a program that has it open, or was killed', async () => {
    await account('ada@example.org')
    const file = join(folder, 'copy.db')
    await run(['backup', file])
    await writeFile(`${file}-wal`, 'pages of another database')
    expectFailure(await run(['backup', file, '--force']), /copy\.db has a log beside it \(copy\.db-wal\)/)
  })

  it('restore refuses a file that is no database, damaged, empty or of a newer version, and keeps the database', async () => {
    await account('ada@example.org')
    const names = ['text', 'damaged', 'empty', 'newer'].map((name) => join(folder, name)) as [string, string, string, string]
    const [text, damaged, empty, newer] = names
    await writeFile(text, 'no database, '.repeat(1000))
    await run(['backup', damaged])
    await truncateHalf(damaged)
    await writeFile(empty, '')
    createNewerDatabase(newer)
    for (const [file, reason] of [
      [text, /cannot be restored: file is not a database/], [damaged, /cannot be restored: .*(damaged|malformed)/],
      [empty, /has no tables, and no log \(empty-wal\) beside it/], [newer, /written by a newer Mayfly \(it has 9999-future\)\. Restore it with/],
      [join(folder, 'none'), /There is no file/],
    ] as const) expectFailure(await run(['restore', file, '--force']), reason)
    expect(await accounts()).to.deep.equal(['ada@example.org'])
    expect((await readdir(join(folder, 'data'))).filter((name) => !/^mayfly\.db(-server)?$/.test(name))).to.deep.equal([])
  })

  it('restore replaces a database that is damaged, and keeps its files', async () => {
    await account('ada@example.org')
    const file = join(folder, 'copy.db')
    await run(['backup', file])
    await writeFile(database, 'no database, '.repeat(1000))
    await writeFile(`${database}-wal`, 'its log')
    const { replaced } = JSON.parse((await run(['restore', file, '--force', '--json'])).stdout)
    expect(await accounts()).to.deep.equal(['ada@example.org'])
    expect((await readdir(join(folder, 'data'))).map((name) => join(folder, 'data', name))).to.include.members([replaced, `${replaced}-wal`])
  })

  it('a copy without its log, an empty file and a log without its file are refused by every command', async () => {
    const [copy, empty, log] = ['copy.db', 'empty.db', 'log.db'].map((name) => join(folder, name)) as [string, string, string]
    await using served = await startServer()
    await copyFile(database, copy)
    await copyFile(`${database}-wal`, `${log}-wal`)
    await writeFile(empty, '')
    for (const command of [['serve'], ['account', 'list'], ['backup', join(folder, 'x.db')], ['migrate']]) {
      expectFailure(await run(command, copy), /^mayfly: MAYFLY_DATABASE: \S+copy\.db is a copy without its log \(copy\.db-wal\).*"mayfly backup FILE"/)
      expectFailure(await run(command, empty), /^mayfly: MAYFLY_DATABASE: \S+empty\.db has no tables.*"mayfly backup FILE".*remove the file/)
    }
    expectFailure(await run(['serve'], log), /^mayfly: MAYFLY_DATABASE: \S+log\.db is missing, while its log \(log\.db-wal\) is there\./)
    const { stdout } = await run(['doctor'], copy)
    expect(stdout).to.match(/\nproblem {2}database +\S+copy\.db is a copy without its log .*\n +→ .*"mayfly backup FILE"/)
    expectFailure(await run(['restore', copy], join(folder, 'new.db')), /without its log .* accept with --without-log that its data are lost/)
    expect((await run(['restore', copy, '--without-log', '--force'], copy)).code).to.equal(0)
    expect(await accounts(copy)).to.deep.equal([]) // the first account was in the log

    const withLog = join(folder, 'with-log.db')
    await served.stop('SIGKILL')
    for (const suffix of ['', '-wal']) await copyFile(`${database}${suffix}`, `${withLog}${suffix}`)
    expect((await run(['restore', withLog], join(folder, 'new.db'))).code).to.equal(0)
    expect(await accounts(join(folder, 'new.db'))).to.deep.equal(['owner@mail.localhost'])
  })

  it('a database is opened after kills of its server, also when a command or another program has emptied its log meanwhile', async () => {
    for (let kill = 0; kill < 3; kill++) {
      const served = await startServer()
      await served.stop('SIGKILL')
      if (kill === 0) expect(await accounts()).to.deep.equal(['owner@mail.localhost'])
      if (kill === 1) openDatabaseFile(database)[Symbol.dispose]() // another program, which removes the log when it closes
    }
    await using served = await startServer()
    expect(served.lines).to.have.length(1)
    expect((await served.stop()).code).to.equal(0)
    await copyFile(database, join(folder, 'stopped.db')) // its log is empty
    expect(await accounts(join(folder, 'stopped.db'))).to.deep.equal(['owner@mail.localhost'])
  })

  const truncateHalf = async (file: string) => truncate(file, Math.floor((await stat(file)).size / 8192) * 4096)
})

async function sendMail({ lines }: Served) {
  const [, key] = /: (svc_live_\w+)$/.exec(lines[0]!)!
  const [, url, port] = /http=(\S+) smtp=\S+:(\d+)$/.exec(lines.at(-1)!)!
  const created = await fetch(`${url}/api/v1/addresses`, { method: 'POST', headers: { authorization: `Bearer ${key}` } })
  const { data } = await created.json() as { data: { address: string } }
  const transport = createTransport({ host: '127.0.0.1', port: Number(port), tls: { rejectUnauthorized: false } })
  await transport.sendMail({ from: 'shop@example.org', to: data.address, subject: 'one', text: 'one' })
  transport.close()
}
