import { expect } from 'chai'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { mayfly, start } from './run.ts'

const headers = { authorization: 'Bearer any' }

describe('CLI: mock', function () {

  it('prints its URL, answers, prints requests with --verbose, and exits with 0 after a signal', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { child } = start(['mock', '--port', '0', '--verbose'], {})
      let [stdout, stderr] = ['', '']
      child.stderr.on('data', (text) => { stderr += String(text) })
      await new Promise<void>((resolve) => child.stdout.on('data', (text) => {
        stdout += String(text)
        if (stdout.endsWith('\n')) resolve()
      }))
      const [, url] = /^listening http=(http:\/\/127\.0\.0\.1:\d+) \(a mock; any API key will do\)\n$/.exec(stdout)!
      const list = await fetch(`${url}/api/v1/emails?limit=1000`, { headers })
      expect(await list.json()).to.deep.equal({
        error: 'query.limit: must be <= 100.',
        code: 'INVALID_REQUEST',
        details: [{ path: 'query.limit', message: 'must be <= 100' }],
      })
      await (await fetch(`${url}/api/v1/emails`, { headers: { ...headers, prefer: 'example=empty' } })).text()
      child.kill(signal)
      expect(await once(child, 'close')).to.deep.equal([0, null])
      expect(stderr.split('\n')).to.deep.equal([
        'GET /api/v1/emails?limit=1000 400 query.limit: must be <= 100.', 'GET /api/v1/emails 200 example=empty', '',
      ])
    }
  })

  it('prints its URL as JSON with --json, applies --prefer, and prints no requests by default', async () => {
    const { child } = start(['mock', '--port', '0', '--json', '--prefer', 'example=empty'], {})
    let stderr = ''
    child.stderr.on('data', (text) => { stderr += String(text) })
    const [line] = await once(child.stdout, 'data') as [Buffer]
    const { listening } = JSON.parse(String(line)) as { listening: { http: string } }
    const answer = await fetch(`${listening.http}/api/v1/emails`, { headers })
    expect(await answer.json()).to.include({ total: 0 })
    child.kill()
    await once(child, 'close')
    expect(stderr).to.equal('')
  })

  it('answers in the dialect of --dialect, unless a request names another', async () => {
    const { child } = start(['mock', '--port', '0', '--json', '--dialect', 'classic'], {})
    const [line] = await once(child.stdout, 'data') as [Buffer]
    const { listening } = JSON.parse(String(line)) as { listening: { http: string } }
    const ask = async (more: object = {}) => (await fetch(`${listening.http}/api/v1/emails?limit=1`, { headers: { ...headers, ...more } })).json()
    expect(await ask()).to.include({ success: true })
    expect(await ask({ 'x-mayfly-dialect': 'primary' })).to.not.have.property('success')
    const refused = await fetch(`${listening.http}/api/v1/emails`)
    expect(await refused.json()).to.deep.include({ success: false }).and.have.nested.property('error.code', 'INVALID_API_KEY')
    child.kill()
    await once(child, 'close')
  })

  it('does not start with invalid options, and prints the reason', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const outcomes = await Promise.all([
      ['--port', String(port)], ['--port', '65536'], ['--prefer', 'example=emtpy'], ['--prefer', 'code=418'], ['--prefer', 'empty'], ['--dialect', 'other'],
    ].map((args) => mayfly(['mock', ...args], {})))
    other.close()
    expect(outcomes.map(({ code, stdout }) => [code, stdout])).to.deep.equal(outcomes.map(() => [1, '']))
    expect(outcomes[0]!.stderr).to.equal(`mayfly: port ${port} of 127.0.0.1 is in use already. --port 0 takes a free one.\n`)
    expect(outcomes[1]!.stderr).to.include('A port is a whole number from 0 to 65535.')
    expect(outcomes[2]!.stderr).to.match(/^mayfly: --prefer: no operation has an example emtpy\. There are .*, empty, /)
    expect(outcomes[3]!.stderr).to.equal('mayfly: --prefer: no operation answers 418.\n')
    expect(outcomes[4]!.stderr).to.include('It takes example=NAME or code=STATUS, such as example=empty.')
    expect(outcomes[5]!.stderr).to.include('Allowed choices are primary, classic.')
  })
})
