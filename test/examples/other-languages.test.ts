import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { asClient, example, run } from './run.ts'

interface Language {
  /** The commands without which the example cannot be run, each with an argument that ends at once. */
  tools: [command: string, argument: string][]
  /** Files of libraries, as Debian's packages install them. */
  libraries: string[]
  /** Whether its runtime may abort after the end of the program, as Mono 6.8 does once in twenty times. */
  mayAbort?: true
  /** @param folder for compiled files; @returns the command that runs the example, and its arguments */
  prepare(folder: string): [string, ...string[]]
}

const jars = ['core', 'databind', 'annotations'].map((part) => `/usr/share/java/jackson-${part}.jar`)
const newtonsoft = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll'

const languages: Record<string, Language> = {
  'go': { tools: [['go', 'version']], libraries: [], prepare: () => ['go', 'run', example('go/main.go')] },
  'java': {
    tools: [['javac', '-version']], libraries: jars,
    prepare: () => ['java', '-cp', jars.join(':'), example('java/WaitForCode.java')],
  },
  'csharp, in Mono': {
    tools: [['mcs', '--version'], ['mono', '--version']], libraries: [newtonsoft], mayAbort: true,
    prepare(folder) {
      const program = join(folder, 'wait.exe')
      const args = ['-langversion:latest', '-warnaserror', `-out:${program}`, '-r:System.Net.Http.dll', `-r:${newtonsoft}`, example('csharp/WaitForCode.cs')]
      const { status, stderr } = spawnSync('mcs', args, { encoding: 'utf8' })
      expect(status, stderr).to.equal(0)
      return ['mono', program]
    },
  },
}

describe('Examples: other languages', function () {
  let app: TestApp
  let folder: string
  before(async () => {
    app = await openTestApp({ isRealTime: true })
    folder = await mkdtemp(join(tmpdir(), 'mayfly-languages-'))
  })
  after(async () => {
    await app?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const countAddresses = async () => (await app.api('GET', '/addresses')).body.data.total

  for (const [name, { tools, libraries, prepare, mayAbort }] of Object.entries(languages)) {
    describe(name, () => {
      let command: [string, ...string[]]
      before(function () {
        const isInstalled = tools.every(([tool, argument]) => spawnSync(tool, [argument], { stdio: 'ignore' }).status === 0)
        if (!isInstalled || !libraries.every((path) => existsSync(path))) this.skip() // CONTRIBUTING.md names the packages
        command = prepare(folder)
      })
      const start = (env: Record<string, string> = {}) => {
        const [file, ...args] = command
        return run(file, args, { ...asClient(app), HOME: folder, MONO_PATH: dirname(newtonsoft), MONO_CRASH_NOFILE: '1', ...env })
      }

      it('prints the code of the first mail, and leaves no address behind', async () => {
        await using program = start()
        const [, address] = await program.says(/^Send a mail with a code to (\S+@mail\.localhost)$/m)
        await app.send({ to: address!, subject: 'Your code', text: 'Your code is 482913.' })
        await program.says(/^The code is 482913$/m)
        const { code } = await program.end()
        if (!mayAbort) expect(code).to.equal(0)
        expect(await countAddresses()).to.equal(0)
      })

      it('says why the server refuses a call', async () => {
        await using program = start({ MAYFLY_API_KEY: 'svc_live_wrong' })
        const { code, stderr } = await program.end()
        expect(code).to.not.equal(0)
        expect(stderr).to.match(/POST \/addresses: .+ \(INVALID_API_KEY\)/)
      })
    })
  }
})
