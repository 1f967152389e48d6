import { expect } from 'chai'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { noDns } from '../support/no-dns.ts'
import { run } from './project.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Action {
  inputs: Record<string, object>
  outputs: Record<string, { value: string }>
  runs: { steps: { run?: string, uses?: string, env?: Record<string, string> }[] }
}

describe('Packaging: the action of GitHub', function () {
  let folder: string
  let variables: Record<string, string>
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-action-'))
    const [env, output] = ['env', 'output'].map((name) => join(folder, name))
    await Promise.all([writeFile(env!, ''), writeFile(output!, '')])
    variables = { GITHUB_ENV: env!, GITHUB_OUTPUT: output!, RUNNER_TEMP: folder, MAYFLY_DNS_SERVERS: await noDns() }
  })
  afterEach(async () => {
    await action({ ACTION_STOP: 'true' })
    await rm(folder, { recursive: true })
  })

  const action = (inputs: Record<string, string>) =>
    run(process.execPath, [join(root, 'packaging/ci/action.js')], folder, { ACTION_STOP: 'false', ACTION_RUN: '', ...variables, ...inputs })
  const read = async (name: string) => Object.fromEntries((await readFile(join(folder, name), 'utf8')).trimEnd().split('\n')
    .filter(Boolean).map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
  const mayfly = `'${process.execPath}' '${join(root, 'cli/mayfly.js')}'`
  const mail = `${mayfly} email send --from app --to app@mail.localhost --subject Hello --text Hello`

  it('has a step for each input and output, and names the other action by its commit', async () => {
    const { inputs, outputs, runs: { steps: [script, upload] } } = parse(await readFile(join(root, 'action.yml'), 'utf8')) as Action
    expect(Object.keys(inputs)).to.deep.equal(['run', 'stop', 'artifact'])
    expect(script!.env).to.deep.equal({ ACTION_RUN: '${{ inputs.run }}', ACTION_STOP: '${{ inputs.stop }}' })
    expect(script!.run).to.equal('node "$GITHUB_ACTION_PATH/packaging/ci/action.js"')
    expect(Object.keys(outputs)).to.deep.equal(['base-url', 'smtp-url'])
    expect(upload!.uses).to.match(/^actions\/upload-artifact@[0-9a-f]{40}$/)
  })

  it('runs a script with a server; after a failure there are its mails', async () => {
    const failed = await action({ ACTION_RUN: `${mail} > /dev/null\nfalse | true\necho $((20 + 3))` })
    expect(failed.code, failed.stderr).to.equal(1) // pipefail
    const { mails } = await read('output') as { mails: string }
    expect((await readdir(mails)).filter((name) => name.endsWith('.eml'))).to.have.length.above(0)
    await rm(mails, { recursive: true })
    await writeFile(variables['GITHUB_OUTPUT']!, '')
    const { code, stdout } = await action({ ACTION_RUN: 'test -n "$MAYFLY_API_KEY"; echo mail goes to $SMTP_URL' })
    expect([code, stdout]).to.match(/^0,.*mail goes to smtp:\/\/127\.0\.0\.1:\d+\n/s)
    expect([await read('output'), await read('env')]).to.deep.equal([{}, {}])
  })

  it('starts a server for the later steps, masks its key, and keeps its mails when it stops', async () => {
    const { code, stdout, stderr } = await action({})
    expect(code, stderr).to.equal(0)
    const { MAYFLY_BASE_URL: url, MAYFLY_API_KEY: key, SMTP_URL: smtp } = await read('env') as Record<string, string>
    expect(stdout).to.include(`::add-mask::${key}\n`)
    expect(await read('output')).to.deep.equal({ 'base-url': url, 'smtp-url': smtp })
    expect((await fetch(`${url}/api/v1/addresses`, { headers: { authorization: `Bearer ${key}` } })).status).to.equal(200)
    expect((await action({})).code).to.equal(1) // one runs already
    expect((await action({ ACTION_STOP: 'true' })).code).to.equal(0)
    expect(await readdir((await read('output'))['mails']!)).to.deep.equal(['emails.json'])
    expect(await fetch(url!).then(() => 'answered', () => 'ended')).to.equal('ended')
  })
})
