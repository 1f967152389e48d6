import { expect } from 'chai'
import { shareTestApp } from '../support/app.ts'
import { document, operations } from './requests.ts'

interface Schema {
  $ref?: string
  'x-scope'?: string
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  oneOf?: Schema[]
  anyOf?: Schema[]
}

const nameOf = (schema: Schema) => schema.$ref?.split('/').at(-1)
const resolve = (schema: Schema): Schema => schema.$ref ? document.components!.schemas![nameOf(schema)!] as Schema : schema
const partsOf = ({ allOf = [], oneOf = [], anyOf = [] }: Schema) => [...allOf, ...oneOf, ...anyOf]

/** The schema of the JSON with which an operation answers. */
function answerOf({ definition }: (typeof operations)[number]): Schema | undefined {
  const [, answer] = Object.entries(definition.responses ?? {}).find(([status]) => status.startsWith('2'))!
  return (answer as { content?: Record<string, { schema: Schema }> }).content?.['application/json']?.schema
}
const scopeOf = ({ definition }: (typeof operations)[number]) => definition.security!.find((each) => each['apiKey'])!['apiKey']![0]!

/** The names of the resources in the `data` of an answer, alone or in a list, with those that they extend. */
function resourcesOf(schema: Schema): string[] {
  const { properties = {}, items } = resolve(schema)
  const parts = partsOf(resolve(schema)).flatMap(resourcesOf)
  const below = Object.entries(properties).filter(([name]) => ['data', 'addresses'].includes(name)).map(([, data]) => data)
  const found = [...below, ...items ? [items] : []].flatMap((data) => [...nameOf(data) ? withBases(data) : [], ...resourcesOf(data)])
  return [...found, ...parts]
}
const withBases = (schema: Schema): string[] => [nameOf(schema) ?? [], partsOf(resolve(schema)).flatMap(withBases)].flat()

/** The names of all schemas that an answer shows to a key with one scope. */
function shownTo(scope: string, schema: Schema): string[] {
  const { properties = {}, items, ...rest } = resolve(schema)
  if (rest['x-scope'] !== undefined && rest['x-scope'] !== scope) return []
  const parts = [...Object.values(properties), ...items ? [items] : [], ...partsOf(rest)]
  return [nameOf(schema) ?? [], parts.flatMap((part) => shownTo(scope, part))].flat()
}

/** Answers that show a resource to a key that may not read others of its kind. */
const allowed: Record<string, string> = {
  'addresses.create: Address': 'the key has just issued it; the spec has the destination that it chose, too',
  'addresses.update: Address': 'the key changes it, and has its id from the answer to its creation',
  'addresses.setSmtpFaults: SmtpFaults': 'the key has just set them',
  'domains.create: Domain': 'the key has just added it',
  'domains.update: Domain': 'the key manages it, and has its id from the answer to its creation',
  'domains.verify: Domain': 'the key manages it, and has its id from the answer to its creation',
}

describe('Scopes: answers', () => {
  it('show no schema that another scope reads', () => {
    const readers = new Map<string, Set<string>>()
    for (const operation of operations.filter(({ method }) => method === 'get')) {
      for (const name of resourcesOf(answerOf(operation) ?? {})) readers.set(name, (readers.get(name) ?? new Set()).add(scopeOf(operation)))
    }
    readers.delete('PagePosition') // of every list
    expect([...readers.keys()]).to.include.members(['Email', 'EmailSummary', 'Address', 'Domain', 'Webhook', 'WebhookDelivery', 'ForwardingRule'])
    const shown = operations.flatMap((operation) => shownTo(scopeOf(operation), answerOf(operation) ?? {})
      .filter((name) => readers.has(name) && !readers.get(name)!.has(scopeOf(operation)))
      .map((name) => `${operation.operationId}: ${name}`))
    expect([...new Set(shown)]).to.deep.equal(Object.keys(allowed))
  })

  const newAccount = shareTestApp()

  it('of a changed email have its id and marks alone for a key without emails:read, also when repeated for such a key', async () => {
    const app = await newAccount()
    const { address } = await app.newAddress()
    await app.send({ to: address, subject: 'Sign in', text: 'Your code is 482913.' })
    await app.settled() // the email does not change any more
    const [{ id }] = (await app.api('GET', '/emails')).body.data
    const narrow = await app.newKey({ account: app.account, scopes: ['emails:write'] })
    const mark = async (key: string) =>
      (await app.api('PATCH', `/emails/${id}`, { key, body: { isStarred: true }, headers: { 'idempotency-key': 'mark' } })).body.data
    const whole = await mark(app.key)
    expect(whole).to.deep.equal((await app.api('GET', `/emails/${id}`)).body.data)
    expect(whole).to.deep.include({ isStarred: true, codes: ['482913'] })
    expect(await mark(narrow)).to.deep.equal({ id, isRead: false, isStarred: true })
  })
})
