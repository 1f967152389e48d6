import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { blocksOf, root } from '../docs/page.ts'
import { readDockerfile } from '../packages/container.ts'
import { runPython, withPython } from '../python/python.ts'
import { noDns } from '../support/no-dns.ts'
import { serverBuild } from '../support/server-build.ts'
import { inherited } from './run.ts'

const examples = join(root, 'examples/testcontainers')
const standIn = join(root, 'test/examples/testcontainers')

// no Docker runs where these tests do: a container is a process with the command, the ports and the variables that it would have
describe('Examples: testcontainers', function () {
  let folder: string
  let variables: Record<string, string>
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-testcontainers-'))
    await cp(examples, folder, { recursive: true })
    const modules = join(folder, 'node_modules')
    mkdirSync(join(modules, '@mayfly-mail'), { recursive: true })
    symlinkSync(join(root, 'sdk'), join(modules, '@mayfly-mail/sdk'))
    symlinkSync(join(root, 'node_modules/nodemailer'), join(modules, 'nodemailer'))
    await cp(join(standIn, 'index.js'), join(modules, 'testcontainers/index.js'))
    const { programs: { mayfly }, compileCache } = await serverBuild()
    variables = {
      ...inherited, CONTAINER_PROGRAM: JSON.stringify([mayfly, ...readDockerfile().command]), NODE_COMPILE_CACHE: compileCache,
      MAYFLY_DATABASE: join(folder, 'mayfly.db'), MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0', MAYFLY_DNS_SERVERS: await noDns(),
    }
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('signs up from Node', async () => {
    const { error, stdout, stderr } = await node(['--test'])
    expect(error, stdout + stderr).to.equal(null)
    expect(stdout).to.match(/pass 1\b/)
    expect(stderr).to.not.include('unknown; ') // a variable that the server does not have
  })

  withPython('in Python', () => {
    it('signs up', async () => {
      const program = JSON.stringify([process.execPath, ...JSON.parse(variables['CONTAINER_PROGRAM']!) as string[]])
      const output = await runPython(['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(folder, 'test_sign_up.py')], {
        ...variables, MAYFLY_DATABASE: join(folder, 'python.db'), CONTAINER_PROGRAM: program, PYTHONPATH: `${root}/python/src:${standIn}:${folder}`,
      })
      expect(output).to.include('1 passed')
    })
  }, 'pytest')

  it('has the settings of the service container in docs/ci.md, in both languages', () => {
    const pages = blocksOf('docs/ci.md', 'yaml').map(({ code }) => parse(code) as { test?: { variables: Record<string, string> } })
    const settings = pages.find(({ test }) => test)!.test!.variables
    const names = Object.keys(settings).filter((name) => /^MAYFLY_(CATCH_ALL|SMTP_)/.test(name))
    expect(names).to.have.length(3)
    for (const file of ['mayfly-container.mjs', 'mayfly_container.py']) {
      const text = readFileSync(join(examples, file), 'utf8')
      for (const name of names) expect(text).to.match(new RegExp(`\\b${name}\\b'?: '${settings[name]!.replaceAll('.', '\\.')}`))
    }
  })

  const node = (args: string[]) => new Promise<{ error: Error | null, stdout: string, stderr: string }>((resolve) => {
    const options = { cwd: folder, env: variables, timeout: 60_000 }
    execFile(process.execPath, args, options, (error, stdout, stderr) => resolve({ error, stdout, stderr }))
  })
})
