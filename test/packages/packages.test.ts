import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { expect } from 'chai'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTransport } from 'nodemailer'
import { publint } from 'publint'
import { noDns } from '../support/no-dns.ts'
import { newPostgresDatabase } from '../support/postgres.ts'
import { expectStop, stopTries } from '../support/stop.ts'
import { findNode20 } from './node-20.ts'
import { borrow, expectMock, must, openProject, run, start } from './project.ts'
import { lockedPackages } from './lock.ts'
import type { Packed } from './lock.ts'
import type { Running } from './project.ts'
import { expectDashboard } from './served-dashboard.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const consumer = fileURLToPath(new URL('./consumer.ts', import.meta.url))

const inboxSpec = `import { expect, test } from '@mayfly-mail/sdk/playwright'
test('has an inbox', async ({ inbox }) => {
  expect(inbox.address).toContain('@mail.localhost')
  expect((await inbox.list()).total).toBe(0)
})
`

describe('Packages', function () {
  this.timeout(600_000)
  let folder: string
  let sdk: Packed
  let server: Packed
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-packages-'))
    await must(process.execPath, [join(root, 'build/main.ts'), 'packages'], root)
    sdk = await pack('sdk')
    server = await pack('mayfly-mail')
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  async function pack(name: string): Promise<Packed> {
    const source = join(root, 'dist', name)
    const [{ filename, files, integrity }] = JSON.parse(await must('npm', ['pack', '--json', '--pack-destination', folder], source))
    const always = ['LICENSE', 'README.md', 'package.json']
    const paths: string[] = files.map(({ path }: { path: string }) => path)
    expect(paths).to.include.members(always)
    return {
      tarball: join(folder, filename),
      integrity,
      files: paths.filter((path) => !always.includes(path)),
      manifest: JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')),
    }
  }

  it('have the package.json of the checkout, without the members for development', () => {
    for (const [{ manifest }, path] of [[sdk, 'sdk/package.json'], [server, 'package.json']] as const) {
      const checkout = JSON.parse(readFileSync(join(root, path), 'utf8'))
      const source = { ...checkout, ...checkout.publishConfig }
      const same = ['name', 'version', 'description', 'license', 'type', 'dependencies', 'peerDependencies', 'bin']
      for (const member of same) expect(manifest[member], member).to.deep.equal(source[member])
      expect(manifest).to.not.have.any.keys('private', 'workspaces', 'scripts', 'devDependencies', 'publishConfig')
    }
    expect(sdk.manifest['engines']).to.deep.equal({ node: '>=20' })
    expect(server.manifest['engines']).to.deep.equal({ node: '>=22.19.0' })
    expect(server.manifest).to.not.have.property('optionalDependencies')
    expect(sdk.manifest).to.have.property('sideEffects', false)
    expect(sdk.manifest).to.not.have.property('dependencies')
    expect(server.manifest).to.have.deep.property('dependencies').that.has.property('@mayfly-mail/sdk', sdk.manifest.version)
  })

  it('have only the files that run', () => {
    for (const path of sdk.files) expect(path).to.match(/^([a-z-]+\.(mjs|cjs|d\.mts|d\.cts)|openapi\.yaml)$/)
    expect(sdk.files).to.include.members(['index', 'playwright'].flatMap((name) => ['mjs', 'cjs', 'd.mts', 'd.cts'].map((end) => `${name}.${end}`)))
    expect(sdk.files).to.include.members(['wait-for.mjs', 'wait-for.cjs', 'subscribe.mjs', 'subscribe.cjs'])
    const contract = ['document', 'document.classic', 'samples'].map((name) => `server/contract/${name}.gen.json`)
    const others = ['CHANGELOG.md', 'skills/mayfly/SKILL.md', 'openapi/openapi.yaml', 'openapi/openapi.classic.yaml', ...contract, 'server/http/pages/reference.css']
    expect(server.files).to.include.members([...others, 'cli/mayfly.js', 'cli/main.js', 'server/intake/mail-thread.js', 'server/http/pages/reference.js'])
    const dashboard = server.files.filter((path) => path.startsWith('dashboard/'))
    expect(dashboard).to.include.members(['dashboard/dist/dashboard.json', 'dashboard/dist/index.html', 'dashboard/dist/licences.md'])
    for (const path of server.files.filter((each) => !others.includes(each) && !dashboard.includes(each))) {
      expect(path).to.match(/^(cli|server|mcp)\/([a-z0-9-]+\/)*[a-z0-9.-]+\.js$/)
    }
    for (const [name, { files }] of [['sdk', sdk], ['mayfly-mail', server]] as const) {
      for (const path of files) {
        const text = readFileSync(join(root, 'dist', name, path), 'utf8')
        expect(text.includes(root), `${path} names the folder of the checkout`).to.equal(false)
        expect(text.includes('PRIVATE KEY-----\n'), `${path} holds a private key`).to.equal(false)
      }
    }
  })

  it('run no script at their installation, nor do their dependencies, so that no installation is reported to its authors', () => {
    const installed = lockedPackages([sdk, server]) as Record<string, { hasInstallScript?: boolean, scripts?: Record<string, string> }>
    const names = Object.keys(installed)
    expect(names).to.include('node_modules/better-sqlite3').and.to.have.length.above(100)
    expect(names.filter((name) => installed[name]!.hasInstallScript || installed[name]!.scripts?.['install'])).to.deep.equal([])
  })

  it('import only their dependencies', () => {
    for (const [name, { manifest }] of [['sdk', sdk], ['mayfly-mail', server]] as const) {
      const known = ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) => Object.keys(manifest[kind] ?? {}))
      const code = globSync('**/*.{js,mjs,cjs,mts,cts}', { cwd: join(root, 'dist', name) }).map((path) => readFileSync(join(root, 'dist', name, path), 'utf8'))
      const imports = code.flatMap((text) => [...text.matchAll(/^(?:import|export) (?:[^'"]* from )?["']([^.'"][^'"]*)["']|\b(?:import|require)\(["']([^.'"][^'"]*)["']\)/gm)])
      const packages = imports.map(([, specifier, called]) => /^(@[^/]+\/)?[^/]+/.exec((specifier ?? called)!)![0])
      const outside = packages.filter((each) => !each.startsWith('node:') && !builtinModules.includes(each))
      expect([...new Set(outside)].filter((each) => !known.includes(each)), name).to.deep.equal([])
    }
  })

  it('pass the checks of publint and of are-the-types-wrong', async () => {
    for (const { tarball } of [sdk, server]) {
      const data = new Uint8Array(readFileSync(tarball))
      const { messages } = await publint({ pack: { tarball: data.buffer }, strict: true })
      expect(messages.filter(({ code }) => code !== 'USE_LICENSE')).to.deep.equal([])
    }
    const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(sdk.tarball))), { excludeEntrypoints: ['./openapi.yaml'] })
    if (!checked.types) throw new Error('the SDK has no types')
    // the resolution of Node 10 ignores `exports`, so it finds only the first entry
    const problems = checked.problems.filter((problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10'))
    expect(problems).to.deep.equal([])
  })

  describe('installed in empty projects', () => {
    const typed = ['consumer.mts', 'consumer.cts']
    let project: string
    let service: string
    let served: Running
    let database: Record<string, string>
    let connection: Record<string, string>
    let smtp: { host: string, port: number }
    /** Without npx, which costs more than the command. */
    const mayfly = () => join(service, 'node_modules/.bin/mayfly')
    before(async () => {
      project = join(folder, 'project')
      service = join(folder, 'service')
      await Promise.all([
        openProject(project, [sdk]),
        openProject(service, [sdk, server]),
      ])
      borrow(project, '@types/node', 'undici-types', '@playwright/test')
      for (const file of typed) copyFileSync(consumer, join(project, file))
      await compile(typed, 'nodenext')
      database = { MAYFLY_DATABASE: join(folder, 'data', 'mayfly.db') }
      served = start('npx', ['--no-install', 'mayfly', 'serve'], service, {
        ...database, MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0', MAYFLY_DNS_SERVERS: await noDns(),
      })
      const [, key] = await served.line(/shown this once: (svc_live_\w+)/)
      const [, url, host, port] = await served.line(/^listening http=(\S+) smtp=(.+):(\d+)$/)
      connection = { MAYFLY_API_KEY: key!, MAYFLY_BASE_URL: url! }
      smtp = { host: host!, port: Number(port) }
    })
    after(() => served?.stop())

    it('have the driver of PostgreSQL, and load it for a database of a PostgreSQL server alone', async () => {
      const create = ['account', 'create', '--email', 'ada@example.org']
      expect(await must(mayfly(), create, service, { MAYFLY_DATABASE: await newPostgresDatabase() })).to.match(/^account ada@example\.org/)
      const driver = join(service, 'node_modules/pg')
      renameSync(driver, `${driver}-removed`)
      try {
        expect(await must(mayfly(), create, service, { MAYFLY_DATABASE: join(folder, 'without-driver.db') })).to.match(/^account ada@example\.org/)
        const serve = { MAYFLY_DATABASE: join(folder, 'without-driver.db'), MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0' }
        const other = start(process.execPath, [mayfly(), 'serve'], service, serve)
        await other.line(/^listening /)
        await other.stop()
      } finally {
        renameSync(`${driver}-removed`, driver)
      }
    })

    it('say which package orders certificates by ACME, which is installed by those who need it alone', async () => {
      const { 'acme-client': version } = server.manifest['peerDependencies'] as Record<string, string>
      const checkout = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { devDependencies: Record<string, string> }
      expect(version).to.equal(checkout.devDependencies['acme-client'])
      const { code, stderr } = await run(mayfly(), ['serve'], service, {
        MAYFLY_DATABASE: join(folder, 'acme.db'), MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_ACME_EMAIL: 'ada@example.org',
      })
      expect(code).to.equal(1)
      expect(stderr).to.equal(`mayfly: MAYFLY_ACME_EMAIL: needs a package that is not installed: npm install --no-save --save-prod acme-client@${version}\n`)
    })

    it('say which package signs requests to a bucket, which is installed by those who need it alone', async () => {
      const { aws4fetch: version } = server.manifest['peerDependencies'] as Record<string, string>
      const { stdout } = await run(mayfly(), ['doctor'], service, {
        MAYFLY_DATABASE: 'postgres://ada@127.0.0.1:1/mayfly', MAYFLY_SOURCES: 's3://bucket', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret',
      })
      expect(stdout).to.include(`MAYFLY_SOURCES: needs a package that is not installed: npm install --no-save --save-prod aws4fetch@${version}`)
    })

    it('have a command with help that lists the keys', async () => {
      const help = await run('npx', ['--no-install', 'mayfly', '--help'], service)
      expect(help.code).to.equal(0)
      expect(help.stdout).to.match(/^Usage: mayfly /)
      const keys = JSON.parse(await must(mayfly(), ['key', 'list', '--json'], service, database))
      expect(keys).to.have.length(1)
      expect(keys[0]).to.include({ mode: 'live', revokedAt: null })
    })

    it('end their server after SIGTERM to the command', async () => {
      for (let i = 0; i < stopTries; i++) {
        await expectStop({
          command: process.execPath, args: [mayfly(), 'serve'], cwd: service, env: { MAYFLY_DATABASE: join(folder, 'stops', 'mayfly.db') },
        })
      }
    })

    it('serve the OpenAPI document and its reference', async () => {
      const read = (path: string) => fetch(new URL(path, connection['MAYFLY_BASE_URL'])).then((answer) => answer.text())
      expect(JSON.parse(await read('/openapi.json'))).to.have.property('openapi').that.matches(/^3\.1/)
      const page = await read('/docs')
      expect(page).to.include('await mayfly.addresses.create(')
      const [style, script] = await Promise.all([...page.matchAll(/"(docs\/reference-[^"]+)"/g)].map(([, path]) => read(`/${path}`)))
      expect(style).to.include('color-scheme: light dark')
      expect(script).to.include('function openFilter(')
    })

    it('serve the dashboard', () => expectDashboard(connection['MAYFLY_BASE_URL']!))

    it('have a mock', () => expectMock(mayfly(), service))

    for (const [form, extension] of [['a module', 'mts'], ['CommonJS', 'cts']] as const) {
      it(`have a typed client for the oldest Node, as ${form}`, async function () {
        const node20 = findNode20()
        if (!node20) return this.skip()
        const client = start(node20, [`consumer.${extension.replace('t', 'j')}`], project, connection)
        try {
          const [address] = await client.line(/^\S+@mail\.localhost$/)
          await createTransport({ ...smtp, tls: { rejectUnauthorized: false } })
            .sendMail({ from: 'shop@example.org', to: address, subject: 'Your code', text: 'Your code is 482913.' })
          expect(JSON.parse((await client.end()).split('\n').at(-1)!)).to.deep.equal({
            codes: ['482913'], receivedAt: true, source: true, listed: 1, missing: 'NOT_FOUND', late: true, event: 'address.created', classic: true,
          })
        } finally {
          await client.stop()
        }
      })
    }

    it('have types for bundlers', async () => {
      copyFileSync(consumer, join(project, 'consumer.ts'))
      writeFileSync(join(project, 'inbox.spec.ts'), inboxSpec)
      await compile(['consumer.ts', 'inbox.spec.ts'], 'bundler')
    })

    it('need no types of Node', async () => {
      writeFileSync(join(project, 'browser.ts'), `import { Mayfly } from '@mayfly-mail/sdk'
export const address: Promise<string> = new Mayfly({ apiKey: 'svc_test_', baseUrl: '/' }).addresses.create().then((created) => created.address)
`)
      await compile(['browser.ts'], 'bundler', [])
    })

    for (const [form, type] of [['modules', 'module'], ['CommonJS', 'commonjs']] as const) {
      it(`have a Playwright fixture with an inbox per test, in a project of ${form}`, async () => {
        const name = join(project, type)
        mkdirSync(name)
        writeFileSync(join(name, 'package.json'), JSON.stringify({ type }))
        writeFileSync(join(name, 'inbox.spec.ts'), inboxSpec)
        const cli = join(root, 'node_modules/@playwright/test/cli.js')
        expect(await must(process.execPath, [cli, 'test', '--reporter=line'], name, connection)).to.include('1 passed')
      })
    }

    /** The strictest options, which also check the package's own declarations, but not those of the language and the browser. */
    function compile(files: string[], resolution: 'nodenext' | 'bundler', more = ['--types', 'node']) {
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      const module = resolution === 'nodenext' ? 'nodenext' : 'esnext'
      return must(process.execPath, [
        tsc, '--strict', '--skipDefaultLibCheck', '--target', 'es2022', '--lib', 'es2022,dom', '--module', module, '--moduleResolution', resolution,
        ...more, ...files,
      ], project)
    }
  })
})
