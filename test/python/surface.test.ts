import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { Mayfly } from '@mayfly-mail/sdk'
import { Inbox } from '../../sdk/resources/inboxes.ts'
import { documentFor, operationsOf } from '../../openapi/document.ts'
import { pythonOperations } from '../../openapi/python/operations.ts'
import { toSnake } from '../../openapi/python/names.ts'
import { programs, root, runPython, withPython } from './python.ts'

type Methods = Record<string, string[]>

interface Surface {
  sync: Record<string, Methods>
  async: Record<string, Methods>
  client: string[]
  request: string[][]
  inbox: Methods
  async_inbox: Methods
  errors: string[]
  webhooks: Methods
  all: string[]
  repr: string[]
}

/** Names of the TypeScript SDK that have another one in Python, or none. */
const renamed: Record<string, string | undefined> = {
  'PermissionError': 'PermissionDeniedError', // the other is a name of Python
  'TimeoutError': 'MayflyTimeoutError', // as before
  'MayflyPromise': undefined, // a call returns its result
  'MayflyOptions': undefined, // arguments of the client
  'RawRequestOptions': undefined, // arguments of `request`
  'SubscribeOptions': undefined, // arguments from here on
  'WaitForOptions': undefined,
  'FileOptions': undefined,
  'EmailWaitQuery': undefined,
  'WebhookBody': undefined,
  'WebhookHeaders': undefined,
  'WebhookDraft': undefined,
  'WebhookSignOptions': undefined,
  'WebhookVerifyOptions': undefined,
  'WebhookPayload': 'MayflyEvent',
  'InboxWaitOptions': undefined,
  'InboxLinkOptions': undefined,
  'ErrorBody': undefined, // an ApiError
  'EmailBounce': undefined,
  'EmailForward': undefined,
  'SmtpFaultStep': undefined, // a dict
  'ListItems': undefined, // `MayflyList`, as the following ones
  'PagePosition': undefined,
  'AuditLogListAnswer': undefined,
  'EmailListAnswer': undefined,
  'SmtpActivityListAnswer': undefined,
  'WebhookDeliveryListAnswer': undefined,
  'EventBase': undefined, // the members that all events have
}
/** Options with another name in Python: times are in seconds, and a task or a thread is cancelled in its own way. */
const renamedOptions: Record<string, string | undefined> = {
  timeoutMs: 'timeout', waitTimeoutMs: 'wait_timeout', fetch: 'transport', from: 'from_', signal: undefined,
}

/** The members of an interface of the TypeScript SDK, by their names in Python. */
function membersOf(path: string, name: string): string[] {
  const [, body] = new RegExp(`^export interface ${name} \\{$([^]*?)^\\}$`, 'm').exec(readFileSync(`${root}/${path}`, 'utf8'))!
  return [...body!.matchAll(/^  (\w+)\?: /gm)].flatMap(([, member]) => member! in renamedOptions ? renamedOptions[member!] ?? [] : [toSnake(member!)])
}

const isInput = (name: string) => /^(?!Last)\w+(Create|Update|Send|Query|ChangeAll)$/.test(name)
const isPage = (name: string) => /Page$/.test(name) // `MayflyList`

/** Methods of Python alone. */
const pythonOnly = ['emails.stream_raw', 'emails.stream_attachment']

withPython('Python SDK: names', () => {
  let surface: Surface
  before(async () => { surface = JSON.parse(await runPython([`${programs}/surface.py`])) as Surface })

  const namesOf = (resources: Record<string, Methods>) =>
    Object.entries(resources).flatMap(([resource, methods]) => Object.keys(methods).map((method) => `${resource}.${method}`)).toSorted()

  it('are those of the TypeScript SDK in snake case: resources and methods', () => {
    const client = new Mayfly({ apiKey: 'svc_test_any' }) as unknown as Record<string, Record<string, unknown>>
    const resources = Object.keys(client).filter((name) => typeof client[name] === 'object')
    const wanted = resources.flatMap((resource) => Object.keys(client[resource]!).map((method) => `${toSnake(resource)}.${toSnake(method)}`))
    expect(namesOf(surface.sync)).to.have.members([...wanted, ...pythonOnly])
  })

  it('are those of the document: each operation with its arguments', () => {
    const document = documentFor('api')
    const operations = pythonOperations({ document, operations: new Map() })
    expect(operations).to.have.length(operationsOf(document).length)
    for (const { operationId, resource, methodName, arguments: all, isStream } of operations) {
      const found = surface.sync[toSnake(resource)]![isStream ? 'subscribe' : methodName]!
      const wanted = isStream ? ['last_event_id', 'events'] : [...all.map(({ python }) => python), 'options']
      expect(found, operationId).to.have.members(wanted)
    }
  })

  it('are the same in AsyncMayfly, with the same arguments', () => {
    expect(surface.async).to.deep.equal(surface.sync)
    expect(surface.async_inbox).to.deep.equal(surface.inbox)
    expect(surface.request).to.deep.equal(Array(2).fill(['method', 'path', 'params', 'json', 'dialect', 'options']))
  })

  it('have the options of the TypeScript SDK: of the client, of waits and of inboxes', () => {
    expect(surface.client).to.include.members(membersOf('sdk/core/options.ts', 'MayflyOptions'))
    const ofWaits = membersOf('sdk/wait-for/options.ts', 'WaitForOptions')
    expect(surface.sync['emails']!['wait_for']).to.have.members(ofWaits)
    const ofInboxes = ofWaits.filter((name) => name !== 'address_id')
    expect(surface.inbox).to.include.keys(Object.getOwnPropertyNames(Inbox.prototype).filter((name) => name !== 'constructor').map(toSnake))
    for (const method of ['wait_for', 'wait_for_code']) expect(surface.inbox[method]).to.have.members(ofInboxes)
    expect(surface.inbox['wait_for_link']).to.have.members([...ofInboxes, 'text', 'url'])
  })

  it('export all types and errors of the TypeScript SDK', () => {
    const text = readFileSync(`${root}/sdk/index.ts`, 'utf8')
    const lists = [...text.matchAll(/\{([^}]*)\} from/g)].map(([, names]) => names!.split(','))
    const exported = lists.flat().map((name) => name.replace(' as default', '').trim()).filter(Boolean)
    expect(Object.keys(renamed).filter((name) => !exported.includes(name))).to.deep.equal([])
    const wanted = exported.filter((name) => !isInput(name) && !isPage(name))
      .flatMap((name) => name in renamed ? renamed[name] ?? [] : [name])
    expect(wanted.filter((name) => !surface.all.includes(name))).to.deep.equal([])
    expect(surface.errors.filter((name) => !surface.all.includes(name))).to.deep.equal([])
    expect(Object.keys(surface.webhooks)).to.include.members(['sign', 'verify'])
  })

  it('show no key in the text of a client', () => {
    for (const text of surface.repr) expect(text).to.match(/^(Async)?Mayfly\(base_url='http/).and.not.include('svc_')
  })
})
