import { expect } from 'chai'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { playSession } from '../support/play-session.ts'
import { sendRaw } from '../support/send-raw.ts'
import { hasTerminal, serve, startOnTerminal } from './run.ts'
import type { Started, Variables } from './run.ts'

describe('CLI: serve on a terminal', function () {
  let folder: string
  before(async function () {
    if (!hasTerminal()) this.skip()
    folder = await mkdtemp(join(tmpdir(), 'mayfly-panel-'))
  })
  after(() => folder && rm(folder, { recursive: true }))

  const variables = (more: Variables = {}): Variables => ({
    MAYFLY_DATABASE: join(folder, 'mayfly.db'), MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0', NO_COLOR: '1', ...more,
  })
  const press = (started: Started, key: string) => started.child.stdin.write(key)

  it('shows the link, the ports and the key, then mail with its code; its keys copy the code, and show and open new links', async () => {
    await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" >> ${folder}/opened\n`)
    await chmod(join(folder, 'xdg-open'), 0o755)
    await using terminal = startOnTerminal(['serve'], variables({ PATH: `${folder}${delimiter}${process.env['PATH']}` }))
    const [text] = await terminal.says('stdout', /^\r\n  Mayfly \S+  ready in [^]*o open   l new link   q QR code   c copy the last code   Ctrl-C end\r\n/m)
    const [, port] = /^ {2}SMTP {7}127\.0\.0\.1:(\d+) {3}no user, no TLS\r$/m.exec(text)!
    const [, http] = /^ {2}API {8}(http:\/\/127\.0\.0\.1:\d+) /m.exec(text)!
    const [, key] = /^ {2}API key {4}export MAYFLY_API_KEY=(svc_live_\w{33}) {3}shown once\r$/m.exec(text)!
    const [, link] = /^ {2}Dashboard {2}(http:\/\/localhost:\d+\/sign-in#[\w-]{43})\r$/m.exec(text)!
    press(terminal, 'c')
    await terminal.says('stdout', /No mail with a code has come yet/)

    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    await fetch(`${http}/api/v1/addresses`, { method: 'POST', headers, body: JSON.stringify({ alias: 'first' }) })
    await sendRaw(Number(port), 'first@mail.localhost', 'Subject: Welcome\r\n\r\nYour code is 482913.\r\n', 'shop@example.org')
    await terminal.says('stdout', /^\d\d:\d\d:\d\d  accepted  shop@example\.org → first@mail\.localhost 482913\r$/m)
    await playSession({ host: '127.0.0.1', port: Number(port) },
      [['EHLO c', 250], ['MAIL FROM:<shop@example.org>', 250], ['RCPT TO:<none@mail.localhost>', 550]])
    await terminal.says('stdout', /^\d\d:\d\d:\d\d  refused   shop@example\.org → none@mail\.localhost 550 No such address here\r$/m)

    press(terminal, 'c')
    await terminal.says('stdout', new RegExp(`\x1b\\]52;c;${Buffer.from('482913').toString('base64')}\x07  Copied 482913\\.\r`))
    press(terminal, 'l')
    const [, second] = await terminal.says('stdout', new RegExp(`${link}[^]*Dashboard  (http:\\S+#[\\w-]{43})`))
    press(terminal, 'q')
    await terminal.says('stdout', new RegExp(`${second}[^]*(  [█▀▄ ]{30,}\r\n){15,}[^]*Dashboard  (http:\\S+#[\\w-]{43})`))
    press(terminal, 'o')
    await terminal.says('stdout', /Opened in the browser/)
    const opened = await readFile(join(folder, 'opened'), 'utf8')
    expect(opened).to.match(/^http:\/\/localhost:\d+\/sign-in#[\w-]{43}\n$/).and.to.not.equal(`${link}\n`)
    press(terminal, '\x03')
    const { code, stdout } = await terminal.ended
    expect(code).to.equal(0)
    expect(stdout).to.include('shutting down').and.to.not.match(/INFO\S*: \S*request |listening|"kind"/)
  })

  it('leaves the terminal as it was, after Ctrl-C and after a signal', async () => {
    const shell = (command: string) =>
      `trap : INT; stty -a > ${folder}/before; sh -c "echo pid \\$\\$; exec ${command}"; echo code $?; stty -a > ${folder}/after`
    for (const end of ['Ctrl-C', 'SIGTERM']) {
      await using terminal = startOnTerminal(['serve'], variables({ MAYFLY_LOG_LEVEL: 'debug' }), { shell })
      const [, pid] = await terminal.says('stdout', /pid (\d+)[^]*Ctrl-C end/)
      if (end === 'Ctrl-C') press(terminal, '\x03')
      else process.kill(Number(pid), end)
      expect((await terminal.ended).stdout).to.include('code 0\r\n')
      expect(await readFile(join(folder, 'after'), 'utf8')).to.equal(await readFile(join(folder, 'before'), 'utf8'))
    }
  })

  it('runs in the background of a shell, without keys', async () => {
    const shell = (command: string) => `set -m; ${command} & read answer; kill $!; wait $!; echo code $?`
    await using terminal = startOnTerminal(['serve'], variables(), { shell })
    await terminal.says('stdout', /Dashboard  http/)
    press(terminal, '\r')
    expect((await terminal.ended).stdout).to.include('code 0\r\n').and.to.not.include('Ctrl-C end')
  })

  it('elsewhere prints lines for scripts, and the rest as JSON', async () => {
    await using served = await serve({ MAYFLY_DATABASE: join(folder, 'piped.db'), MAYFLY_CATCH_ALL: 'all' })
    const { stdout } = await served.stop()
    const [account, listening, catchAll, dashboard, ...rest] = stdout.split('\n')
    expect(account).to.match(/^account owner@/)
    expect(listening).to.match(/^listening http=\S+ smtp=\S+$/)
    expect(JSON.parse(catchAll!)).to.deep.include({ event: 'catch-all' }).and.to.have.nested.property('catchAll.address', 'all@mail.localhost')
    expect(dashboard).to.match(/^dashboard http:/)
    expect(rest).to.deep.equal([''])
  })
})
