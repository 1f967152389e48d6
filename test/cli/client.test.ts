import { expect } from 'chai'
import { existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openWaits } from '../support/open-waits.ts'
import { sendRaw } from '../support/send-raw.ts'
import { createApiKey } from '../support/store/accounts.ts'
import { mayfly, start } from './run.ts'
import type { Variables } from './run.ts'

const unknownId = '019ceb92-ea80-752e-bca9-6513269e0d37'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('CLI: client commands', function () {
  let app: TestApp
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-client-'))
    app = await openTestApp({ isRealTime: true })
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const variables = (others: Variables = {}): Variables =>
    ({ HOME: folder, MAYFLY_API_KEY: app.key, MAYFLY_BASE_URL: app.url, ...others })
  const run = (...args: string[]) => mayfly(args, variables())
  async function succeed(...args: string[]) {
    const { code, stdout, stderr } = await run(...args)
    expect([code, stderr], args.join(' ')).to.deep.equal([0, ''])
    return stdout
  }
  const json = async (...args: string[]) => JSON.parse(await succeed(...args, '--json'))
  const newAddress = async (alias: string) => (await app.newAddress({ alias }))
  const mail = (to: string, subject: string, text: string) => app.send({ to, subject, text })

  describe('address', () => {
    it('creates an address and prints it alone; lists and deletes addresses', async () => {
      const [plain, named, whole] = await Promise.all([
        succeed('address', 'create'),
        succeed('address', 'create', '--alias', 'Listed', '--expires-in', '10m'),
        json('address', 'create', '--alias', 'listed.too', '--expires-in', '90'),
      ])
      expect(plain).to.match(/^[a-z0-9-]+@mail\.localhost\n$/)
      expect(named).to.equal('listed@mail.localhost\n')
      expect(whole).to.include({ address: 'listed.too@mail.localhost', isActive: true, emailCount: 0 })
      expect(Date.parse(whole.expiresAt) - Date.parse(whole.createdAt)).to.equal(90_000)

      const [table, all, newest, expired] = await Promise.all([
        succeed('address', 'list'), json('address', 'list', '--status', 'active'), run('address', 'list', '--limit', '1'),
        succeed('address', 'list', '--status', 'expired'),
      ])
      expect(all.map(({ address }: { address: string }) => address)).to.include.members([plain.trim(), named.trim(), whole.address])
      expect(table).to.match(/^ADDRESS +STATUS +EXPIRES +EMAILS +LAST EMAIL +ID\n/).and.to.not.match(/\x1b|\t/)
      expect(table).to.match(new RegExp(`^listed\\.too@mail\\.localhost +active +${whole.expiresAt} +0 +${whole.id}$`, 'm'))
      expect(newest.stdout.split('\n')).to.have.length(3)
      expect(newest.stderr).to.equal('These are the newest 1: --limit shows more.\n')
      expect(expired).to.equal('ADDRESS  STATUS  EXPIRES  EMAILS  LAST EMAIL  ID\n')

      const [byName, byId] = await Promise.all([succeed('address', 'delete', 'LISTED'), json('address', 'delete', whole.id)])
      expect(byName).to.match(/^deleted listed@mail\.localhost \([0-9a-f-]{36}\)\n$/)
      expect(byId).to.deep.equal({ id: whole.id, address: whole.address, deleted: true })
      expect((await run('address', 'delete', 'listed@mail.localhost')).stderr)
        .to.equal('mayfly: There is no address listed@mail.localhost of yours. "mayfly address list" shows them.\n')
    })
  })

  describe('inbox', () => {
    it('waits for the code or the link of a present or future mail, and prints it alone to stdout', async () => {
      const { id, address } = await newAddress('signup')
      const waiting = start(['inbox', 'wait', address, '--subject', 'code'], variables())
      await mail(address, 'Hello', 'No such thing here.')
      await mail(address, 'Confirm', 'Follow https://shop.example/confirm?t=1 now.')
      await mail(address, 'Your code', 'Your code is 482913. Or follow https://shop.example/code')
      await mail(address.replace('@', '+other@'), 'Another code', 'Your code is 735102.')
      expect(await waiting.ended).to.deep.equal({ code: 0, stdout: '482913\n', stderr: '' })
      const { data } = await app.api('GET', `/emails?address_id=${id}`).then(({ body }) => body)
      const [, , confirm, hello] = data as { id: string }[]
      const outcomes = await Promise.all([
        run('inbox', 'wait', 'signup', '--code'),
        run('inbox', 'wait', id, '--link'),
        run('inbox', 'wait', address, '--after', hello!.id),
        run('inbox', 'wait', address, '--after', confirm!.id, '--from', 'SHOP@'),
        run('inbox', 'wait', address, '--after', confirm!.id, '--link'),
        run('inbox', 'wait', address, '--code', '--json'),
        run('inbox', 'wait', address, '--to', address.replace('@', '+OTHER@')),
      ])
      expect(outcomes.map(({ code, stderr }) => [code, stderr])).to.deep.equal(outcomes.map(() => [0, '']))
      const printed = outcomes.map(({ stdout }) => stdout)
      expect(printed.slice(0, 5)).to.deep.equal([
        '482913\n', 'https://shop.example/confirm?t=1\n', 'https://shop.example/confirm?t=1\n', '482913\n', 'https://shop.example/code\n',
      ])
      expect(JSON.parse(printed[5]!)).to.deep.include({ subject: 'Your code', codes: ['482913'], addressId: id })
      expect(printed[6]).to.equal('735102\n')
      const nothing = await run('inbox', 'wait', address)
      expect(nothing).to.deep.equal({
        code: 1, stdout: '', stderr: `mayfly: "Hello" from Shop <shop@example.org> has neither a code nor a link. `
          + `--code or --link waits for one; "mayfly email show ${hello!.id}" shows it.\n`,
      })
    })

    it('exits with 2 after the timeout, and lists the mail that arrived instead', async () => {
      const { address } = await newAddress('slow')
      await mail(address, 'Hello', 'No such thing here.')
      const [other, none] = await Promise.all([
        run('inbox', 'wait', address, '--code', '--timeout', '300ms'),
        run('inbox', 'wait', address, '--after', 'now', '--subject', 'x', '--timeout', '0.3'),
      ])
      expect(other).to.deep.equal({
        code: 2, stdout: '', stderr: 'mayfly: Waited 0.3 s for mail with a code to slow@mail.localhost. 1 mail came, none with a code: "Hello" from Shop <shop@example.org>.\n',
      })
      expect(none).to.deep.equal({ code: 2, stdout: '', stderr: 'mayfly: Waited 0.3 s for mail with "x" in its subject to slow@mail.localhost.\n' })
      expect((await run('address', 'smtp-faults', 'slow', '--set', '[{ "at": "rcpt", "code": 452 }]')).code).to.equal(0)
      await mail(address, 'Refused', 'x').then(() => expect.fail('it was accepted'), () => {})
      const { code, stderr } = await run('inbox', 'wait', address, '--subject', 'x', '--timeout', '0.3')
      expect([code, stderr]).to.match(/^2,mayfly: Waited .*\. 1 mail came, none with that subject: "Hello" from .*; 1 refused: 452 [^.;]+\.\n$/)
    })

    it('watches: prints each mail when it arrives, until Ctrl-C or the expiry of the address', async () => {
      const [{ address }, gone] = [await newAddress('watched'), await newAddress('gone')]
      await using text = start(['inbox', 'watch', 'watched'], variables())
      await using lines = start(['inbox', 'watch', address, '--json'], variables())
      await using other = start(['inbox', 'watch', gone.id], variables())
      await Promise.all([text, lines, other].map((one) => one.says('stderr', /^Watching .*\n/)))
      await mail(gone.address, 'For another', 'Hello')
      await mail(address, 'Your code', 'Your code is 482913. Or follow https://shop.example/code')
      await Promise.all([text.says('stdout', /\n/), lines.says('stdout', /\n/), other.says('stdout', /\n/)])
      expect((await app.api('DELETE', `/addresses/${gone.id}`)).status).to.equal(200)
      expect(await other.ended).to.include({ code: 0 }).and.have.property('stderr').that.matches(/\ngone@mail\.localhost was deleted\.\n$/)
      const [shown, document] = await Promise.all([text.stop('SIGINT'), lines.stop('SIGTERM')])
      expect(shown.stdout).to.match(/^\d{4}-\S+Z {2}Shop <shop@example\.org> {2}Your code {2}code 482913 {2}link https:\/\/shop\.example\/code\n$/)
      expect(shown.stderr).to.match(/^Watching watched@mail\.localhost until \S+Z, or Ctrl-C\.\n$/)
      expect(JSON.parse(document.stdout)).to.deep.include({ subject: 'Your code', codes: ['482913'] })
      expect([shown.code, document.code]).to.deep.equal([130, 143])
    })

    it('lists mail, and searches it by words', async () => {
      const { address } = await newAddress('full')
      await mail(address, 'First invoice', 'one')
      await mail(address, 'Second', 'two')
      const [table, found] = await Promise.all([succeed('inbox', 'list', 'full'), json('inbox', 'list', address, '--search', 'invoice')])
      expect(table).to.match(/^ID +RECEIVED +FROM +SUBJECT +FILES\n\S{36} {2}\S+Z {2}Shop <shop@example\.org> {2}Second\n.*First invoice\n$/)
      expect(found).to.have.length(1)
      expect(found[0]).to.include({ subject: 'First invoice', hasAttachments: false })
    })
  })

  describe('email', () => {
    it('shows untrusted text without control characters', async () => {
      const { id, address } = await newAddress('shown')
      const nasty = '\x1b]0;owned\x07\x1b[2J\u009b31m\u202e'
      await app.send({ to: address, from: { name: `Sh\x1b[1mop${nasty}`, address: 'shop@example.org' }, subject: `Hi\x1b[2J\u009b1m ${nasty}there`,
        html: `<style>p{}</style><p>Hello <b>you</b>${nasty}</p><ul><li>one</li></ul><script>no()</script>` })
      const { id: emailId } = await app.onlyEmail(id)
      const [shown, raw, document, list] = await Promise.all([
        run('email', 'show', emailId), run('email', 'raw', emailId), run('email', 'show', emailId, '--json'), run('inbox', 'list', 'shown'),
      ])
      expect(shown.stdout).to.match(/^From: +Sh/).and.match(/^Subject: +Hi/m).and.match(/\n\nHello you.*\n\n- one\n$/)
      for (const { code, stdout } of [shown, document, list]) {
        expect(code).to.equal(0)
        expect(stdout).to.not.match(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/)
      }
      expect(JSON.parse(document.stdout)).to.have.property('bodyHtml').that.includes('<p>Hello <b>you</b>')
      expect(raw.stdout).to.match(/^Received: |^From: /m).and.include('\r\n')
    })

    it('shows how long codes are valid, and warnings', async () => {
      const { id, address } = await newAddress('warned')
      await app.send({ to: address, subject: 'Sign in', html: `<p hidden>Forward this.</p><p>Your code is 482913. It expires in 90 minutes.</p>
        <a href="https://evil.example/login">www.bank.example</a> <bdo dir=rtl>abc</bdo>&#xe0041;<p>@bank.example #482913</p>` })
      const { id: emailId } = await app.onlyEmail(id)
      const { stdout } = await run('email', 'show', emailId)
      expect(stdout.match(/^(?:Code|Warning): .*$/gm)).to.deep.equal([
        'Code:     482913 valid for 90 minutes, only at bank.example',
        'Warning:  the HTML hides text from its reader', 'Warning:  text in characters that are not seen',
        'Warning:  letters are shown in another order than they are written in', 'Warning:  a link says www.bank.example and leads to evil.example',
      ])
    })

    it('prints the source byte for byte', async () => {
      const { id, address } = await newAddress('source')
      const source = Buffer.from('From: shop@example.org\r\nSubject: Caf\xe9\r\n\r\n\xff\xfe\r\n', 'latin1')
      await sendRaw(app.smtp.port, address, source)
      const { id: emailId } = await app.onlyEmail(id)
      const { encoding, source: text, size } = await json('email', 'raw', emailId)
      expect([encoding, size]).to.deep.equal(['base64', source.length])
      expect(Buffer.from(text, 'base64').equals(source)).to.equal(true)
    })

    it('saves files in the folder, and overwrites none', async () => {
      const { id, address } = await newAddress('files')
      const names = ['../../evil.txt', 'notes.txt', 'notes.txt', 'linked.txt', '..', 'C:\\con.txt']
      await app.send({ to: address, subject: 'Files', attachments: names.map((filename, i) => ({ filename, content: `content ${i}` })) })
      const { id: emailId } = await app.onlyEmail(id)
      const to = join(folder, 'deep', 'files')
      mkdirSync(to, { recursive: true })
      await writeFile(join(to, 'notes.txt'), 'mine')
      symlinkSync(join(folder, 'outside.txt'), join(to, 'linked.txt'))
      const saved = await json('email', 'save-attachments', emailId, '--to', to)
      const paths = saved.map(({ path }: { path: string }) => path) as string[]
      for (const path of paths) expect(path.slice(0, to.length + 1)).to.equal(`${to}/`)
      expect(statSync(paths[0]!).mode & 0o777).to.equal(0o666 & ~process.umask()) // as the user wants, not that of a database
      const contents = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
      expect(contents).to.deep.equal(names.map((_name, i) => `content ${i}`))
      expect(await readFile(join(to, 'notes.txt'), 'utf8')).to.equal('mine')
      expect(paths.slice(1, 4)).to.deep.equal(['notes (2).txt', 'notes (3).txt', 'linked (2).txt'].map((name) => join(to, name)))
      expect(existsSync(join(folder, 'outside.txt'))).to.equal(false)
      expect((await readdir(to)).sort()).to.have.length(names.length + 2)
      const again = await succeed('email', 'save-attachments', emailId, '--to', join(folder, 'made'))
      expect(again.split('\n')).to.have.length(names.length + 1)
    })

    it('sends the text of --text or of stdin', async () => {
      const { address } = await newAddress('sender')
      const { id, address: to } = await newAddress('recipient')
      const [byOption, byStdin, refused] = await Promise.all([
        run('email', 'send', '--from', address, '--to', to, '--subject', 'One', '--text', 'first'),
        mayfly(['email', 'send', '--from', 'sender', '--to', to, '--subject', 'Two', '--json'], variables(), 'second\n'),
        run('email', 'send', '--from', 'sender', '--to', 'nobody', '--subject', 'Three', '--text', 'third'),
      ])
      expect(byOption.stdout.trim()).to.match(uuid)
      expect(JSON.parse(byStdin.stdout).id).to.match(uuid)
      expect(refused).to.include({ code: 1, stdout: '' }).and.have.property('stderr').that.matches(/^mayfly: --to: must be exactly one email address/)
      await app.settled()
      const texts = (await app.listEmails({ address_id: id })).map(({ bodyText }) => bodyText.trim())
      expect(texts).to.have.members(['first', 'second'])
    })

    it('sends the HTML of a file, with its text unless another is given', async () => {
      await newAddress('html-sender')
      const { id, address: to } = await newAddress('html-recipient')
      const file = join(folder, 'mail.html')
      await writeFile(file, '<p>Your code is <b>482913</b></p>')
      const send = (...args: string[]) => run('email', 'send', '--from', 'html-sender', '--to', to, '--subject', 'Code', ...args)
      for (const args of [['--html', file], ['--html', file, '--text', 'other']]) expect((await send(...args)).stdout.trim()).to.match(uuid)
      expect(await send('--html', join(folder, 'missing.html'))).to.include({ code: 1, stdout: '' })
        .and.have.property('stderr').that.matches(/^mayfly: --html: \S+missing\.html cannot be read: ENOENT/)
      await app.settled()
      const bodies = (await app.listEmails({ address_id: id })).map(({ bodyText, bodyHtml }) => [bodyText.trim(), bodyHtml.trim()])
      const html = '<p>Your code is <b>482913</b></p>'
      expect(bodies).to.have.deep.members([['Your code is 482913', html], ['other', html]])
    })

    it('prints members of the JSON by --format, a line for each result', async () => {
      const made = [await newAddress('format-one'), await newAddress('format-two')]
      const lines = async (...args: string[]) => {
        const { code, stdout, stderr } = await run(...args)
        expect([code, stderr], args.join(' ')).to.deep.equal([0, ''])
        return stdout
      }
      const list = await lines('address', 'list', '--limit', '2', '--format', '{id} <{address}> {address}')
      expect(list).to.equal([...made].reverse().map(({ id, address }) => `${id} <${address}> ${address}\n`).join(''))
      expect(await lines('address', 'show', 'format-one', '--format', '{id}', '--json')).to.equal(`${made[0]!.id}\n`)
      expect(await lines('api', 'GET', `/addresses/${made[0]!.id}`, '--format', '{data.address}')).to.equal(`${made[0]!.address}\n`)
      expect(await lines('inbox', 'list', 'format-one', '--format', '{id}')).to.equal('')
      const { code, stdout, stderr } = await run('address', 'show', 'format-one', '--format', '{adress}')
      expect([code, stdout]).to.deep.equal([1, ''])
      expect(stderr).to.match(/^mayfly: --format: there is no "adress" in \{adress\}, only .*\baddress\b.*\n$/)
      expect(await run('address', 'list', '--format', 'id')).to.include({ code: 1, stdout: '' })
        .and.have.property('stderr').that.matches(/It takes a text with members of the JSON in braces, such as '\{id\}'/)
    })
  })

  it('reports errors on stderr with the way out, and exits with 1', async () => {
    const [revoked, sender] = await Promise.all([app.newKey(), app.newKey({ scopes: ['emails:write'] })])
    const { key: ended } = await createApiKey(app, app.account, { expiresIn: -1 })
    const { body } = await app.api('POST', '/addresses', { body: { alias: 'expiring' } })
    await app.api('GET', '/addresses', { key: revoked })
    const refused: [string[], RegExp, Variables?][] = [
      [['address', 'list'], /^mayfly: There is no API key\. "mayfly login" stores one, or set MAYFLY_API_KEY\.\n$/, { MAYFLY_API_KEY: '' }],
      [['inbox', 'wait', 'x'], /^mayfly: There is no API key\./, { MAYFLY_API_KEY: '' }],
      [['address', 'list'], /^mayfly: http:\/\/\S+ refused the API key\. The API key is missing, malformed, unknown or revoked\. "mayfly login" stores another; MAYFLY_API_KEY overrides it\.\n$/,
        { MAYFLY_API_KEY: `svc_live_${'x'.repeat(32)}` }],
      [['address', 'list'], /^mayfly: http:\/\/\S+ refused the API key\. The API key ended at \S+Z\. Create a new one\. "mayfly login" stores another; MAYFLY_API_KEY overrides it\.\n$/,
        { MAYFLY_API_KEY: ended }],
      [['address', 'list'], /^mayfly: .*emails:read/, { MAYFLY_API_KEY: sender }],
      [['address', 'list', '--url', 'ftp://x'], /^mayfly: baseUrl, or MAYFLY_BASE_URL, must be an http or https URL/],
      [['email', 'show', body.data.id], /^mayfly: .+\n$/],
      [['email', 'show', '../addresses'], /'\.\.\/addresses' is invalid for argument 'id'\. It must be an id from a list, or at least 4 characters/],
      [['inbox', 'list', 'nobody'], /^mayfly: There is no address nobody of yours\. "mayfly address list" shows them\.\n$/],
      [['inbox', 'wait', 'expiring', '--timeout', 'soon'], /'soon' is invalid\. It takes a time such as 30s/],
      [['inbox', 'wait', 'expiring', '--code', '--link'], /'--link' cannot be used with option '--code'/],
      [['inbox', 'wait', 'expiring', '--after', 'yesterday'], /'yesterday' is invalid\. It takes "now"/],
      [['address', 'create', '--alias', 'a b'], /^mayfly: --alias: does not fit: /],
      [['address', 'create', '--expires-in', '10y'], /'10y' is invalid/],
      [['address', 'create', '--max-emails', 'few'], /'few' is invalid\. It takes a whole number from 1 to 1000000\./],
      [['address', 'list', '--limit', '0'], /'0' is invalid\. It takes a whole number from 1 to 99999\./],
    ]
    await Promise.all(refused.map(async ([args, sentence, others]) => {
      const { code, stdout, stderr } = await mayfly(args, variables(others))
      expect(stderr, args.join(' ')).to.match(sentence)
      expect([code, stdout], args.join(' ')).to.deep.equal([1, ''])
    }))
  })

  it('names the server that does not answer, and the command that starts one', async () => {
    await using closed = await openTestApp()
    await closed.app.close()
    for (const args of [['address', 'list'], ['mcp']]) {
      const { code, stdout, stderr } = await mayfly([...args, '--url', closed.url], variables())
      expect([code, stdout]).to.deep.equal([1, ''])
      expect(stderr).to.match(new RegExp(`^mayfly: There is no answer from ${closed.url}: the connection was refused\\..* "mayfly serve" starts one on this machine; --url or MAYFLY_BASE_URL names another server\\.\\n$`))
    }
  })

  it('waits no longer than --timeout, also for a silent server', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const outcomes = await Promise.all(['checkout', unknownId].map((wanted) =>
      mayfly(['inbox', 'wait', wanted, '--timeout', '100ms'], variables({ MAYFLY_BASE_URL: `http://127.0.0.1:${port}` }))))
    silent.closeAllConnections()
    silent.close()
    const [byName, byId] = outcomes.map(({ stderr }) => stderr)
    expect(outcomes.map(({ code, stdout }) => [code, stdout])).to.deep.equal([[2, ''], [2, '']])
    expect(byName).to.match(/^mayfly: Waited 0\.1 s for mail to checkout\. The last request failed: addresses\.list got no answer .*\n$/)
    expect(byId).to.match(/^mayfly: Waited 0\.1 s for mail to [0-9a-f-]{36}\. The last request failed: addresses\.get got no answer .*\n$/)
  })

  it('exits with 130 after Ctrl-C during a wait', async () => {
    const { address } = await newAddress('interrupted')
    await openWaits(app, 0)
    await using waiting = start(['inbox', 'wait', address, '--timeout', '1h'], variables())
    await openWaits(app, 1)
    expect(await waiting.stop('SIGINT')).to.deep.equal({ code: 130, stdout: '', stderr: '' })
  })

  it('ends without an error when the reader of its output has closed the pipe', async () => {
    const { address } = await newAddress('piped')
    await using watching = start(['inbox', 'watch', address], variables())
    await watching.says('stderr', /Watching/)
    await mail(address, 'First', 'one')
    await watching.says('stdout', /First/)
    watching.child.stdout.destroy()
    await once(watching.child.stdout, 'close')
    await mail(address, 'Second', 'two')
    expect(await watching.ended).to.include({ code: 0 }).and.have.property('stderr').that.matches(/^Watching .*\n$/)
  })
})
