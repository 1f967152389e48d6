import { text } from 'node:stream/consumers'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { answersOf } from '../../cli/mock/examples.ts'
import { readDocument } from '../../openapi/document.ts'
import type { OperationId } from '../../server/contract/operations.gen.ts'
import { openFakeMailbox } from '../sdk/fake-mailbox.ts'
import { openFaultServer } from '../sdk/fault-server.ts'
import { openHostileServer } from '../sdk/hostile-server.ts'
import type { Behaviour, HostileConnection } from '../sdk/hostile-server.ts'
import type { Answer, Case, CaseMailbox } from './cases.ts'

/** The server of one case. */
export interface CaseServer extends AsyncDisposable {
  url: string
  requests: CaseRequest[]
  /** Those of a hostile server, after the client had time to close them. */
  connections?: () => Promise<HostileConnection[]>
}

export interface CaseRequest {
  method: string
  /** With the query in the order of its names. */
  path: string
  headers: IncomingHttpHeaders
  /** Resolves with the text of the body. */
  body: Promise<string>
}

export async function openCaseServer({ answers = [], isTls, behaviour, mailbox }: Case, apiKey: string): Promise<CaseServer> {
  if (behaviour !== undefined) return openHostile(behaviour)
  const requests: CaseRequest[] = []
  if (mailbox) return openMailbox(mailbox, requests, apiKey)
  const server = await openFaultServer((request, response) => {
    record(requests, request)
    give(answers[Math.min(requests.length, answers.length) - 1]!, apiKey, request, response)
  }, isTls)
  if (answers.length === 0) await server[Symbol.asyncDispose]()
  return {
    url: server.url,
    requests,
    async [Symbol.asyncDispose]() {
      if (answers.length > 0) await server[Symbol.asyncDispose]()
    },
  }
}

async function openHostile(behaviour: string): Promise<CaseServer> {
  const server = await openHostileServer(() => behaviour as Behaviour)
  return {
    url: server.url,
    requests: [],
    async connections() {
      await server.closed()
      return server.connections
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function openMailbox(
  { mails = [], later = [], faults = [] }: CaseMailbox, requests: CaseRequest[], apiKey: string,
): Promise<CaseServer> {
  const mailbox = await openFakeMailbox()
  const publish = (all: typeof mails) => all.forEach(({ at = 0, ...mail }) => mailbox.publish({ at: mailbox.now + at, ...mail }))
  publish(mails)
  mailbox.intercept = (request, response, nth) => {
    record(requests, request)
    const fault = faults.find((one) => one.request === nth)
    if (fault) give(fault.answer, apiKey, request, response)
    return fault !== undefined
  }
  for (const { request, mails: arriving } of later) void mailbox.requested(request).then(() => publish(arriving))
  return { url: mailbox.url, requests, [Symbol.asyncDispose]: () => mailbox[Symbol.asyncDispose]() }
}

function record(requests: CaseRequest[], request: IncomingMessage) {
  const url = new URL(request.url!, 'http://localhost')
  url.searchParams.sort()
  requests.push({
    method: request.method!, path: `${url.pathname}${url.search}`, headers: request.headers,
    body: text(request).catch(() => ''), // the connection may end first
  })
}

function give(answer: Answer, apiKey: string, { socket }: IncomingMessage, response: ServerResponse) {
  const { raw, instead, status = 200, headers = {}, body, pieces } = withKey(answer, apiKey)
  if (instead === 'drop') return void socket.destroy()
  if (instead === 'silence') return
  if (raw !== undefined) return void socket.end(raw)
  const json = answer.example === undefined ? withKey(answer.json, apiKey) : exampleBody(answer)
  const type = json === undefined ? {} : { 'content-type': 'application/json' }
  response.writeHead(answer.example === undefined ? status : exampleOf(answer.example).status, { ...type, ...headers })
  response.end(json === undefined ? pieces?.map(([piece, times]) => piece.repeat(times)).join('') ?? body : JSON.stringify(json))
}

/** Fills the key into all texts of a value. */
function withKey<Value>(value: Value, apiKey: string): Value {
  if (value === undefined) return value
  const escaped = (form: (hex: string) => string) => Array.from(apiKey, (character) => form(character.charCodeAt(0).toString(16))).join('')
  const forms = { '{apiKey}': apiKey, '{apiKey:json}': escaped((hex) => `\\u00${hex}`), '{apiKey:percent}': escaped((hex) => `%${hex}`) }
  const fill = (text: string) => Object.entries(forms).reduce((filled, [name, form]) => filled.replaceAll(name, form), text)
  return JSON.parse(JSON.stringify(value), (_, member: unknown) => typeof member === 'string' ? fill(member) : member) as Value
}

const document = readDocument()

const exampleOf = (operation: string) => answersOf(document, operation as OperationId)[0]!

/** The body of an example, whose list has these items. */
function exampleBody({ example, ids, page }: Answer): unknown {
  const body = structuredClone(exampleOf(example!).value) as Record<string, unknown>
  if (!ids) return body
  const owner = Array.isArray(body['data']) ? body : body['data'] as Record<string, unknown>
  const [name, items] = Object.entries(owner).find(([, value]) => Array.isArray(value)) as [string, object[]]
  return { ...body, ...owner === body ? change(body) : { data: change(owner) } }
  function change(list: object) {
    return { ...list, ...page, [name]: ids!.map((id) => ({ ...items[0], id })) }
  }
}
