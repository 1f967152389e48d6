import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import { expect } from 'chai'
import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { classicFile } from '../../openapi/document.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openEndpoint } from '../support/endpoint.ts'
import type { Endpoint } from '../support/endpoint.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The server of a flow, which a program calls with its generated client. */
interface Flow {
  baseUrl: string
  key: string
  /** The URL of the endpoint of webhooks. */
  hook: string
  /** Sends a mail. @param to the address */
  send(to: string): Promise<void>
}

/** The results of a program. */
interface Seen {
  addressId: string
  email: string
  awaited: { id: string, subject: string }
  listed: string[]
  isDeleted: boolean
  secrets: { a: string, b: string }
}

/** Writes the client, and beside it `program.ts`, which exports `run(flow: Flow): Promise<Seen>`. */
const generators: Record<string, (folder: string) => Promise<void>> = {
  async 'openapi-typescript'(folder) {
    writeFileSync(join(folder, 'types.ts'), astToString(await openapiTypescript(classicFile)))
    writeFileSync(join(folder, 'program.ts'), program(`
import createClient from 'openapi-fetch'
import type { paths } from './types.ts'
`, `
  const client = createClient<paths>({ baseUrl, headers: { 'Authorization': \`Bearer \${key}\`, 'X-Mayfly-Dialect': 'classic' } })
  const addHook = async (form: 'a' | 'b') =>
    (await client.POST('/api/v1/webhooks', { body: { url: \`\${hook}?\${form}\`, events: ['email.received'], form } })).data!.data.secret!
  const secrets = { a: await addHook('a'), b: await addHook('b') }
  const { data: created } = await client.POST('/api/v1/addresses', { body: { alias: 'generated', expiresIn: 2 } })
  const { id: addressId, email, cursor } = created!.data
  const waiting = client.GET('/api/v1/emails/wait', { params: { query: { addressId, after: cursor } } })
  await send(email)
  const awaited = (await waiting).data!.data
  const { data: list } = await client.GET('/api/v1/emails', { params: { query: { addressId } } })
  const { data: deletion } = await client.DELETE('/api/v1/addresses/{id}', { params: { path: { id: addressId } } })
  return { addressId, email, awaited, listed: list!.data.emails.map(({ id }) => id), isDeleted: deletion!.data.deleted, secrets }
`))
  },
  async '@hey-api/openapi-ts'(folder) {
    await createClient({
      input: fileURLToPath(classicFile),
      output: { path: join(folder, 'client'), entryFile: false, module: { extension: '.ts' } },
      plugins: [{ name: '@hey-api/client-fetch', throwOnError: true }, '@hey-api/typescript', { name: '@hey-api/sdk', operations: 'flat', paramsStructure: 'grouped' }],
      logs: { level: 'silent' },
    })
    writeFileSync(join(folder, 'program.ts'), program(`
import { client } from './client/client.gen.ts'
import { addressesCreate, addressesDelete, emailsList, emailsWait, webhooksCreate } from './client/sdk.gen.ts'
`, `
  client.setConfig({ baseUrl, auth: key, headers: { 'X-Mayfly-Dialect': 'classic' } })
  const addHook = async (form: 'a' | 'b') =>
    (await webhooksCreate({ body: { url: \`\${hook}?\${form}\`, events: ['email.received'], form } })).data.data.secret!
  const secrets = { a: await addHook('a'), b: await addHook('b') }
  const { data: { data: { id: addressId, email, cursor } } } = await addressesCreate({ body: { alias: 'generated-too', expiresIn: 2 } })
  const waiting = emailsWait({ query: { addressId, after: cursor } })
  await send(email)
  const answer = (await waiting).data
  if (!answer) throw new Error('the wait ended without an email')
  const awaited = answer.data
  const { data: list } = await emailsList({ query: { addressId } })
  const { data: deletion } = await addressesDelete({ path: { id: addressId } })
  return { addressId, email, awaited, listed: list.data.emails.map(({ id }) => id), isDeleted: deletion.data.deleted, secrets }
`))
  },
}

const program = (imports: string, body: string) => `${imports}
interface Flow { baseUrl: string, key: string, hook: string, send(to: string): Promise<void> }

export async function run({ baseUrl, key, hook, send }: Flow) {${body}}
`

/** Compiles the program in strict mode. @returns the faults */
function compile(folder: string): string[] {
  const options: ts.CompilerOptions = {
    strict: true, noUncheckedIndexedAccess: true, target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, outDir: join(folder, 'dist'), rootDir: folder,
    allowImportingTsExtensions: true, rewriteRelativeImportExtensions: true, skipLibCheck: true, lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], types: [],
  }
  const compiled = ts.createProgram([join(folder, 'program.ts')], options)
  const { diagnostics } = compiled.emit()
  return [...ts.getPreEmitDiagnostics(compiled), ...diagnostics].map(({ file, messageText }) =>
    `${file?.fileName.slice(folder.length) ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
}

describe('Generated clients of the classic dialect', () => {
  let app: TestApp
  let endpoint: Endpoint
  before(async () => {
    app = await openTestApp({ env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' }, isRealTime: true })
    endpoint = await openEndpoint()
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await endpoint[Symbol.asyncDispose]()
  })

  for (const [name, generate] of Object.entries(generators)) {
    it(`${name} compiles in strict mode, and runs a flow`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'mayfly-generated-'))
      try {
        writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
        symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
        mkdirSync(join(folder, 'client'))
        await generate(folder)
        expect(compile(folder)).to.deep.equal([])
        const { run } = await import(pathToFileURL(join(folder, 'dist/program.js')).href) as { run(flow: Flow): Promise<Seen> }
        const key = await app.newKey()
        endpoint.deliveries.splice(0)
        const seen = await run({
          baseUrl: app.url, key, hook: endpoint.url, send: (to) => app.send({ to, subject: 'Hello', text: 'Hello' }),
        })
        await app.settled()
        expect(seen.addressId).to.match(/^addr_/)
        expect(seen.awaited).to.include({ subject: 'Hello' })
        expect(seen.listed).to.deep.equal([seen.awaited.id])
        expect(seen.isDeleted).to.equal(true)
        expectDelivery(endpoint, 'a', seen)
        expectDelivery(endpoint, 'b', seen)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })
  }
})

/** A delivery of one form is signed, and has the ids of the dialect. */
function expectDelivery({ deliveries }: Endpoint, form: 'a' | 'b', { secrets, addressId, awaited }: Seen) {
  const found = deliveries.filter(({ path }) => path.endsWith(`?${form}`))
  expect(found).to.have.length(1)
  const { body, headers, event } = found[0]!
  expect(headers['x-service-signature']).to.equal(`sha256=${createHmac('sha256', secrets[form]).update(body).digest('hex')}`)
  expect(Object.keys(event)).to.deep.equal(form === 'a' ? ['event', 'timestamp', 'data'] : ['id', 'type', 'createdAt', 'data'])
  const own = Object.keys(headers).filter((name) => /^(x-service|webhook)-/.test(name)).sort()
  expect(own).to.deep.equal(form === 'a'
    ? ['x-service-signature', 'x-service-timestamp']
    : ['x-service-delivery-id', 'x-service-event', 'x-service-signature'])
  expect(event.data).to.include({ addressId, emailId: awaited.id })
}
