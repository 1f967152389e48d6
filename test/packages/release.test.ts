import { expect } from 'chai'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { targetOf } from '../../build/executable/target.ts'
import { readManifest } from '../../build/manifest.ts'
import { nodePackages } from '../../cli/installed-node.js'
import { canBuildPython } from '../../build/python.ts'
import { noDns } from '../support/no-dns.ts'
import { borrow, must, start } from './project.ts'
import type { Running } from './project.ts'
import { openRegistry } from './registry.ts'
import type { Registry } from './registry.ts'
import { receiveMail } from './try-executable.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A program of a user, who installed the SDK from the registry: it sends a mail to an address, and prints its code. */
const program = `import { Mayfly } from '@mayfly-mail/sdk'
import { createTransport } from 'nodemailer'
const inbox = await new Mayfly().inboxes.create()
const mailer = createTransport({ host: process.env.SMTP_HOST, port: process.env.SMTP_PORT, tls: { rejectUnauthorized: false } })
await mailer.sendMail({ from: 'shop@example.org', to: inbox.address, subject: 'Welcome', text: 'Your code is 482913.' })
console.log(await inbox.waitForCode())
`

const pythonProgram = `import os, smtplib
from mayfly import Mayfly
with Mayfly().inboxes.create() as inbox:
    with smtplib.SMTP(os.environ["SMTP_HOST"], int(os.environ["SMTP_PORT"])) as mailer:
        mailer.sendmail("shop@example.org", [inbox.address], f"To: {inbox.address}\\r\\nSubject: Welcome\\r\\n\\r\\nYour code is 482913.\\r\\n")
    print(inbox.wait_for_code())
`

/** The files of a release as the workflow makes them, in the folder that RELEASE_FILES names; they are built here by default. */
describe('Release: all that is published, installed from a registry on this machine', function () {
  this.timeout(900_000)
  let folder: string
  let registry: Registry
  let served: Running | undefined
  let files: string
  let service: string
  let connection: Record<string, string>
  const { version } = readManifest(root)

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-release-'))
    files = process.env['RELEASE_FILES'] ?? await buildFiles()
    registry = await openRegistry(join(folder, 'registry'))
    service = join(folder, 'service')
    mkdirSync(service)
    writeFileSync(join(service, 'package.json'), '{ "type": "module" }')
  })
  after(async () => {
    await served?.stop()
    await registry?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  /** As .github/workflows/release.yml does. */
  async function buildFiles(): Promise<string> {
    await must(process.execPath, [join(root, 'build/main.ts')], root)
    const packed = join(folder, 'dist/npm')
    mkdirSync(packed, { recursive: true })
    await must('npm', ['pack', './dist/sdk', './dist/mayfly-mail', '--pack-destination', packed], root)
    return join(root, 'dist')
  }

  const npmFile = (name: string) => [join(files, 'npm'), join(folder, 'dist/npm')].flatMap((path) => globSync(`${path}/${name}-${version}.tgz`))[0]!

  it('the two packages for npm are published, and start a server in an empty folder', async () => {
    for (const name of ['mayfly-mail-sdk', 'mayfly-mail']) await must('npm', ['publish', npmFile(name), ...registry.options], folder)
    await must('npm', ['install', 'mayfly-mail', '@mayfly-mail/sdk', '--no-audit', '--no-fund', '--loglevel=error', ...registry.options], service)
    const lock = JSON.parse(readFileSync(join(service, 'package-lock.json'), 'utf8')) as { packages: Record<string, { version: string, dev?: boolean }> }
    for (const name of ['mayfly-mail', '@mayfly-mail/sdk']) expect(lock.packages[`node_modules/${name}`]!.version).to.equal(version)
    const variables = {
      MAYFLY_DATABASE: join(folder, 'mayfly.db'), MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0', MAYFLY_DNS_SERVERS: await noDns(),
    }
    served = start(process.execPath, [join(service, 'node_modules/mayfly-mail/cli/mayfly.js'), 'serve'], service, variables)
    const [, key] = await served.line(/shown this once: (svc_live_\w+)/)
    const [, url, host, port] = await served.line(/^listening http=(\S+) smtp=(.+):(\d+)$/)
    connection = { MAYFLY_API_KEY: key!, MAYFLY_BASE_URL: url!, SMTP_HOST: host!, SMTP_PORT: port! }
  })

  it('a program waits for its first mail by the SDK', async () => {
    borrow(service, 'nodemailer')
    writeFileSync(join(service, 'first.js'), program)
    expect(await must(process.execPath, ['first.js'], service, connection)).to.equal('482913\n')
  })

  it('a program in Python waits for a mail, with the wheel alone in its environment', async function () {
    if (!canBuildPython()) return this.skip()
    const environment = join(folder, 'python')
    await must('python3', ['-m', 'venv', environment], folder)
    const python = join(environment, 'bin/python')
    const wheels = globSync(join(files, 'python/*.whl'))
    expect(wheels.map((path) => basename(path))).to.deep.equal([`mayfly_mail-${version}-py3-none-any.whl`])
    await must(python, ['-m', 'pip', 'install', '--no-index', '--quiet', wheels[0]!], folder)
    writeFileSync(join(folder, 'first.py'), pythonProgram)
    expect(await must(python, ['first.py'], folder, connection)).to.equal('482913\n')
  })

  it('the executable receives a mail', async () => {
    const file = join(folder, basename(targetOf().file))
    copyFileSync(join(files, basename(file)), file)
    await receiveMail(file)
  })

  it('the list of its packages (SBOM) has each package in the executable, and no other', () => {
    const path = join(files, basename(targetOf().file))
    const { components, metadata } = JSON.parse(readFileSync(`${path}.cdx.json`, 'utf8')) as {
      metadata: { component: { name: string, version: string } }
      components: { 'bom-ref': string, purl: string, hashes: object[] }[]
    }
    expect([metadata.component.name, metadata.component.version]).to.deep.equal(['mayfly-mail', version])
    const listed = components.map((each) => each['bom-ref'])
    // the licences are those of the files that were bundled
    const licences = readFileSync(`${path}.licences.txt`, 'utf8')
    const bundled = [...licences.matchAll(/^(?:-{80}\n\n)?((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d\S*): "/gm), ...licences.matchAll(/^## (\S+) - (\S+) \(/gm)]
    expect(listed.toSorted()).to.deep.equal([...new Set(bundled.map(([, name, each]) => `${name}@${each}`))].sort())
    for (const { purl, hashes } of components) expect([purl, hashes]).to.match(/^pkg:npm\//).and.to.have.nested.property('[1].length', 1)
    // the dependencies of the published package are in the executable too, except the SDK, which has the same source
    const names = listed.map((ref) => ref.slice(0, ref.lastIndexOf('@')))
    const needed = Object.keys(readManifest(join(service, 'node_modules/mayfly-mail')).dependencies!)
    expect(needed.filter((name) => !names.includes(name))).to.deep.equal(['@mayfly-mail/sdk'])
    expect(names).to.include.members(['react', nodePackages[targetOf().system]]).and.to.not.include.members(['typescript', 'mocha'])
  })
})
