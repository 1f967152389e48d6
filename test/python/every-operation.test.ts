import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { documentFor, operationsOf } from '../../openapi/document.ts'
import { exampleSource } from '../sdk/shared-suite.ts'
import { openTestApp } from '../support/app.ts'
import { capturedLink, press } from '../support/forwarding.ts'
import { openMock } from '../support/mock.ts'
import { programs, sources, withPython } from './python.ts'

interface World extends AsyncDisposable {
  url: string
  key: string
  testKey: string
  /** Carries out what the program asks for. */
  actions: Record<string, (value: string) => Promise<unknown>>
}

async function openServer(): Promise<World> {
  const app = await openTestApp({ isRealTime: true })
  return {
    url: app.url,
    key: app.key,
    testKey: await app.newKey({ isTest: true }),
    actions: {
      agree: async (email) => press(app, await capturedLink(app, email)),
      deliver: (to) => app.send({ envelope: { from: 'no-reply@shop.example', to }, raw: exampleSource }),
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** It has the mail and a verified forwarding address from the start. */
async function openMockWorld(): Promise<World> {
  const mock = await openMock()
  const actions = { agree: async () => {}, deliver: async () => {} }
  return { url: mock.url, key: 'svc_test_mock', testKey: 'svc_test_mock', actions, [Symbol.asyncDispose]: () => mock[Symbol.asyncDispose]() }
}

const wanted = operationsOf(documentFor('api')).map(({ operationId }) => operationId).toSorted()

withPython('Python SDK: every operation', function () {
  for (const [side, open] of [['the server', openServer], ['the mock', openMockWorld]] as const) {
    for (const kind of ['sync', 'async']) {
      it(`answers on ${side}, ${kind}`, async function () {
        await using world = await open()
        expect((await run(kind, world)).toSorted()).to.deep.equal(wanted)
      })
    }
  }
})

/** Runs the program, and returns the operations that it called. */
async function run(kind: string, { url, key, testKey, actions }: World): Promise<string[]> {
  const child = spawn('python3', ['-W', 'error', `${programs}/every_operation.py`, kind], {
    env: { ...process.env, PYTHONPATH: sources, MAYFLY_BASE_URL: url, MAYFLY_API_KEY: key, TEST_KEY: testKey },
  })
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const errors = text(child.stderr)
  const operations: string[] = []
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith('? ')) {
      operations.push(line)
      continue
    }
    const [action, value] = JSON.parse(line.slice(2)) as [string, string]
    await actions[action]!(value)
    child.stdin.write('\n')
  }
  expect(await exit, `after ${operations.at(-1)}: ${await errors}`).to.equal(0)
  expect(await errors).to.equal('')
  return operations
}
