import { expect } from 'chai'
import { program as mayfly } from '../cli/run.ts'
import { rejectionOf } from '../sdk/rejection.ts'
import { noDns } from '../support/no-dns.ts'
import { programs, runPython, withPython } from './python.ts'
import { runSignUps } from './sign-up-runs.ts'

withPython('Python SDK: fixtures of pytest', () => {
  it('pass the sign-up test against the server', async function () {
    expect(await runSignUps(3)).to.match(/^3 passed/m)
  })

  it('pass it with the server of "mayfly run"', async () => {
    const pytest = ['python3', '-W', 'error', '-m', 'pytest', '-p', 'mayfly.pytest_plugin', '-p', 'no:cacheprovider', '-q', `${programs}/sign_up_test.py`]
    const variables = { SIGN_UPS: '1', MAYFLY_DNS_SERVERS: await noDns() }
    expect(await runPython([mayfly, 'run', '--', ...pytest], variables, process.execPath)).to.match(/^1 passed/m)
  })

  it('show the line of a failed test, and its error, without the functions of the package', async () => {
    const args = ['-m', 'pytest', '-p', 'mayfly.pytest_plugin', '-p', 'no:cacheprovider', '-q', `${programs}/failing_test.py`]
    const { message } = await rejectionOf(runPython(args))
    expect(message).to.match(/^> +mayfly\.domains\.list\(\)$/m).and.to.match(/^E +mayfly\.NetworkError: domains\.list got no answer from http/m)
    expect(message).to.match(/failing_test\.py:10: NetworkError$/m).and.to.not.include('connection.py')
  })
}, 'pytest')
