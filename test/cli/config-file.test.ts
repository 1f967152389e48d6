import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mayfly, serve, start } from './run.ts'
import type { Served } from './run.ts'

/** Each command that reads MAYFLY_CONFIG; FOLDER, KEY and MAIL stand for the folder of the database and the ids of a key and a mail. */
const calls = [
  'account create --email new@example.org', 'account plan --email new@example.org --plan pro', 'account list',
  'key create --name ci --account new@example.org', 'key list', 'key revoke KEY',
  'outbox list', 'outbox show MAIL', 'backup FOLDER/copy.db', 'migrate', 'migrate --dry-run', 'doctor', 'health', 'nodes --json', 'tail', 'serve', 'restore FOLDER/copy.db --force',
  'move --from FOLDER/copy.db',
]
/** The mock has no settings. */
const withoutConfig = ['mock', 'help']

describe('CLI: MAYFLY_CONFIG', function () {
  let folder: string
  let file: string
  let served: Served
  let words: Record<string, string>
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-config-'))
    file = join(folder, 'mayfly.env')
    const database = join(folder, 'of-the-file.db')
    served = await serve({ MAYFLY_DATABASE: database })
    const [, key] = /: (svc_live_\w+)$/.exec(served.lines[0]!)!
    const [, url, port] = /http=(\S+:(\d+))/.exec(served.lines.at(-1)!)!
    await writeFile(file, `MAYFLY_DATABASE=${database}\nMAYFLY_HTTP_PORT=${port}\nMAYFLY_SMTP_PORT=0\nMAYFLY_MIN_FREE_BYTES=0\n`)
    const post = async (path: string, body: object) => (await (await fetch(`${url}/api/v1${path}`, {
      method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body: JSON.stringify(body),
    })).json() as { data: { id: string } }).data.id
    await post('/emails', { fromAddressId: await post('/addresses', {}), to: 'ada@example.org', subject: 'x', body: 'x' })
    const first = async (...args: string[]) => JSON.parse((await mayfly([...args, '--json'], { MAYFLY_DATABASE: database })).stdout)[0].id as string
    words = { FOLDER: folder, KEY: await first('key', 'list'), MAIL: await first('outbox', 'list') }
  })
  after(async () => {
    await served?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const args = (call: string) => call.replaceAll(/FOLDER|KEY|MAIL/g, (word) => words[word]!).split(' ')
  // an empty variable is not set: the one of the file counts
  const variables = (more = {}) => ({ MAYFLY_CONFIG: file, MAYFLY_DATABASE: '', MAYFLY_HTTP_PORT: ' ', ...more })

  /** The output that shows that a command has used the file; by default any, with the exit code 0. */
  const shows: Record<string, RegExp> = {
    doctor: /database .*of-the-file\.db/,
    health: /^ready: http:\S+\/readyz/,
    serve: /MAYFLY_DATABASE: .* runs on \S+of-the-file\.db/,
    move: /--to: is needed, unless MAYFLY_DATABASE is a URL/,
    restore: /MAYFLY_DATABASE: .* runs on \S+of-the-file\.db/,
  }

  for (const call of calls) {
    it(`has the variables of "mayfly ${call}", also of those that are empty in the environment`, async () => {
      const [name = ''] = call.split(' ')
      if (name === 'tail') {
        await using tail = start(['tail'], variables())
        await tail.says('stderr', /Following the server/)
        return
      }
      const { code, stdout, stderr } = await mayfly(args(call), variables())
      expect(stdout + stderr).to.match(shows[name] ?? /./)
      if (!['serve', 'restore', 'move', 'doctor'].includes(name)) expect([code, stderr.replace(/^(?:Keep it|The pro plan|It is in the database).*/gm, '').trim()]).to.deep.equal([0, ''])
      expect(existsSync('data/mayfly.db')).to.equal(false)
    })

    it(`"mayfly ${call}" names the file and the line that is malformed`, async () => {
      const broken = join(folder, 'broken.env')
      await writeFile(broken, 'MAYFLY_HTTP_PORT=1\nsecret\n')
      const { code, stdout, stderr } = await mayfly(args(call), variables({ MAYFLY_CONFIG: broken }))
      expect(code).to.equal(1)
      expect(call === 'doctor' ? stdout : stderr).to.include(`MAYFLY_CONFIG: ${broken}, line 2: is not NAME=value, nor a comment that begins with #\n`)
      expect(stdout + stderr).to.not.include('secret')
    })

    it(`"mayfly ${call}" names the variable, the file and the line of a wrong value`, async () => {
      const wrong = join(folder, 'wrong.env')
      await writeFile(wrong, '# ports\nMAYFLY_HTTP_PORT=http\n')
      const { code, stdout, stderr } = await mayfly(args(call), variables({ MAYFLY_CONFIG: wrong }))
      expect([code, call === 'doctor' ? stdout : stderr]).to.satisfy(([code, text]: [number, string]) =>
        code === 1 && text.includes(`MAYFLY_HTTP_PORT (${wrong}, line 2): `) && text.includes('a whole number from 0 to 65535'))
    })
  }

  it('is read by each command of the server, as docs/settings.md says', async () => {
    const { stdout } = await mayfly(['--help'], {})
    const names = [...stdout.slice(stdout.indexOf('The server:')).matchAll(/^  ([a-z]+) /gm)].map(([, name]) => name!)
    const tried = new Set(calls.map((call) => call.split(' ')[0]!))
    expect([...tried, ...withoutConfig].sort()).to.deep.equal(names.sort())
    const page = await readFile(new URL('../../docs/settings.md', import.meta.url), 'utf8')
    const [, list] = /MAYFLY_CONFIG` is read by these commands: ([^.]+)\./.exec(page)!
    expect([...list!.matchAll(/`([a-z]+)`/g)].map(([, name]) => name!).sort()).to.deep.equal([...tried].sort())
  })

  it('a missing file, a folder, a FIFO and a device are refused in words', async () => {
    const fifo = join(folder, 'fifo')
    execFileSync('mkfifo', [fifo])
    const missing = join(folder, 'missing.env')
    for (const [path, reason] of [
      [missing, 'is missing. Name a file with lines NAME=value, or unset the variable'], [folder, 'is a folder. Name a file in it'],
      [fifo, 'is not a regular file. Write the variables to a file, and name that'],
      ['/dev/zero', 'is not a regular file. Write the variables to a file, and name that'],
    ] as const) {
      for (const command of [['serve'], ['health'], ['account', 'list']]) {
        const { code, stderr } = await mayfly(command, variables({ MAYFLY_CONFIG: path }))
        expect([code, stderr]).to.deep.equal([1, `mayfly: MAYFLY_CONFIG: ${path} ${reason}\n`])
      }
    }
  })

  it('a variable that is set twice is refused, with both lines', async () => {
    const twice = join(folder, 'twice.env')
    await writeFile(twice, 'MAYFLY_HTTP_PORT=1\n# again\nMAYFLY_HTTP_PORT=2\n')
    expect((await mayfly(['serve'], variables({ MAYFLY_CONFIG: twice }))).stderr)
      .to.equal(`mayfly: MAYFLY_CONFIG: ${twice}, line 3: MAYFLY_HTTP_PORT is set in line 1 already. Remove one of the two lines\n`)
  })

  it('doctor counts the variables of the file, and has no default for them', async () => {
    const { stdout } = await mayfly(['doctor', '--json'], variables())
    const found = Object.fromEntries(JSON.parse(stdout).checks.map((check: { name: string, found: string }) => [check.name, check.found]))
    expect(found.variables).to.match(/^MAYFLY_CONFIG, MAYFLY_DATABASE, MAYFLY_HTTP_PORT, MAYFLY_MIN_FREE_BYTES, MAYFLY_SMTP_PORT can be used$/)
    expect(found.defaults).to.include('MAYFLY_DEFAULT_DOMAIN=').and.to.not.match(/MAYFLY_(DATABASE|HTTP_PORT|SMTP_PORT)=/)
  })

  it('doctor reports each wrong variable, of the file and of the environment', async () => {
    const wrong = join(folder, 'wrong.env')
    await writeFile(wrong, 'MAYFLY_HTTP_PORT=http\nMAYFLY_RATE_LIMIT=few\n')
    const { stdout } = await mayfly(['doctor', '--json'], { MAYFLY_CONFIG: wrong, MAYFLY_SMTP_PORT: 'smtp' })
    const problems = JSON.parse(stdout).checks.filter((check: { status: string }) => check.status === 'problem')
    expect(problems.map((check: { found: string }) => check.found.split(': "')[0])).to.deep.equal([
      `MAYFLY_HTTP_PORT (${wrong}, line 1)`, 'MAYFLY_SMTP_PORT', `MAYFLY_RATE_LIMIT (${wrong}, line 2)`,
    ])
  })
})
