import { readdirSync, readFileSync } from 'node:fs'

/**
 * A file of test/clients/cases: calls that every SDK must answer in the same way. Names of methods, arguments and options are those of
 * the API and the TypeScript SDK; a driver turns them into those of its language. Times are in ms, as `timeoutMs`.
 */
export interface CaseFile {
  /** The beginning of the titles of the tests. */
  topic: string
  /** Calls of the cases that name none. */
  calls?: Call[]
  cases: Case[]
}

/**
 * One client, its calls, and their outcome. The server of the case gives `answers`, or has a `behaviour`, or a `mailbox`; without any of
 * them it refuses connections.
 */
export interface Case {
  name: string
  /**
   * The options of the client. Default: `apiKey` of this file and `{server}`; null leaves an option out. In all texts of the options, the
   * environment and the calls, `{server}` is the URL of the server, `{host}` its host with the port, `{port}` the port.
   */
  client?: {
    apiKey?: string | number | null, baseUrl?: string | number | null, timeoutMs?: number, waitTimeoutMs?: number
    maxRetries?: number | string
  }
  /** Variables of the environment during the case. */
  environment?: Record<string, string>
  /** To the requests, in their order; the last is repeated. */
  answers?: Answer[]
  /** Its server has TLS, with a certificate that no client trusts. */
  isTls?: boolean
  /** Of test/sdk/hostile-server.ts. Its connections must be closed after the case, before the answer fills the memory. */
  behaviour?: string
  mailbox?: CaseMailbox
  /** One after the other, by one client. All but the last must succeed. */
  calls?: Call[]
  expected: Expected
}

export interface Call {
  /** `addresses.list`; `inbox.waitForCode` of the inbox that an earlier call returned; `webhooks.verify`, `webhooks.sign`, `request`. */
  method: string
  /** Arguments by position, before the input. */
  ids?: string[]
  /**
   * The members of the input or query; of `request` its `query`, `body` and `dialect`; of `webhooks.verify` and `webhooks.sign` all
   * arguments. Present, if only `{}`, where the method takes one. `{ "expression": "code$", "flags": "i" }` is a regular expression,
   * `{ "date": "2026-…" }` a time, `{ "base64": "…" }` bytes.
   */
  input?: Record<string, unknown>
  options?: {
    timeoutMs?: number, maxRetries?: number | string, idempotencyKey?: string, headers?: Record<string, string>
    [misspelled: string]: unknown
  }
  /** For a list: the result is the items of all pages; for events: the first so many. */
  maxItems?: number
}

/** In texts, `{apiKey}` is the key of the client; `{apiKey:json}` and `{apiKey:percent}` are the key with all characters escaped. */
export interface Answer {
  status?: number
  headers?: Record<string, string>
  /** The body, sent as application/json unless `headers` have a type. */
  json?: unknown
  /** The body as text; `pieces` are texts that are repeated. */
  body?: string
  pieces?: [text: string, times: number][]
  /** An operation, whose first example in the document of the API is the body; `ids` and `page` change a list. */
  example?: string
  ids?: string[]
  page?: { total?: number, hasMore?: boolean }
  /** In place of an answer: bytes on the connection, which then ends. */
  raw?: string
  /** In place of an answer: the connection ends, or nothing happens. */
  instead?: 'drop' | 'silence'
}

/** A mailbox of test/sdk/fake-mailbox.ts. Request 1 is the first of the case. */
export interface CaseMailbox {
  mails?: CaseMail[]
  /** Arrive once the request of this number has. */
  later?: { request: number, mails: CaseMail[] }[]
  /** Answers in place of those of the mailbox. */
  faults?: { request: number, answer: Answer }[]
}

/** `at` is in ms after the time of the mailbox. */
export interface CaseMail {
  at?: number
  subject?: string
  from?: string
  fromName?: string
  bodyText?: string
  codes?: string[]
  links?: { text: string, url: string, host: string }[]
}

/** Members of `result`, `error`, `headers` and `bodies` that are not named here may have any value. `{server}` is the URL of the server. */
export interface Expected {
  /** The result of the last call, as the JSON of the API. An item of a list is an array's item; null is missing or null. */
  result?: unknown
  error?: ExpectedError
  /** Number of requests. */
  requests?: number
  /** Method and path of each request, with the query in the order of its names. */
  paths?: string[]
  /** Headers of every request; null: it has none. */
  headers?: Record<string, string | null>
  /** A header in each request, by letters: `aab-` are two equal values, another one, and none. */
  sameHeaders?: Record<string, string>
  /** The JSON bodies of the requests. */
  bodies?: unknown[]
  /** Pauses between attempts that the server asked for, and times from one attempt to the next where the SDK chooses, with random 1. */
  pausesMs?: number[]
  intervalsMs?: number[]
  /** On the clock of the SDK, with the pauses. */
  maxElapsedMs?: number
}

/** `class` and `cause` are names of the TypeScript SDK. The message has each of the texts. */
export interface ExpectedError {
  class: string
  message?: string[]
  status?: number
  code?: string | null
  requestId?: string | null
  retryAfterMs?: number | null
  details?: { path: string, message: string }[] | null
  cause?: string
  /** Subjects of the mail that arrived during a wait. */
  arrived?: string[]
}

/** The key of clients whose case names none. */
export const apiKey = 'svc_live_0123456789abcdefghijklmnopqrstuv'

/** The members of each type: the compiler compares them with the types, and `readCases` compares the files with them. */
const members = {
  file: { topic: true, calls: true, cases: true } satisfies Named<CaseFile>,
  case: {
    name: true, client: true, environment: true, answers: true, isTls: true, behaviour: true, mailbox: true, calls: true, expected: true,
  } satisfies Named<Case>,
  call: { method: true, ids: true, input: true, options: true, maxItems: true } satisfies Named<Call>,
  answer: {
    status: true, headers: true, json: true, body: true, pieces: true, example: true, ids: true, page: true, raw: true, instead: true,
  } satisfies Named<Answer>,
  mailbox: { mails: true, later: true, faults: true } satisfies Named<CaseMailbox>,
  expected: {
    result: true, error: true, requests: true, paths: true, headers: true, sameHeaders: true, bodies: true, pausesMs: true,
    intervalsMs: true, maxElapsedMs: true,
  } satisfies Named<Expected>,
  error: {
    class: true, message: true, status: true, code: true, requestId: true, retryAfterMs: true, details: true, cause: true, arrived: true,
  } satisfies Named<ExpectedError>,
}
type Named<Shape> = Record<keyof Shape, true>

/** Reads all files of cases. @throws Error for a member that no case has, and for a case without an expected result or error */
export function readCases(): CaseFile[] {
  const folder = new URL('./cases/', import.meta.url)
  return readdirSync(folder).toSorted().map((name) => {
    const file = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as CaseFile
    check('file', file, name)
    for (const one of file.cases) checkCase(one, `${name}, ${one.name}`, file.calls)
    return file
  })
}

function checkCase(one: Case, where: string, calls?: Call[]) {
  check('case', one, where)
  check('expected', one.expected, where)
  if (one.mailbox) check('mailbox', one.mailbox, where)
  if (one.expected.error) check('error', one.expected.error, where)
  for (const call of one.calls ?? calls ?? []) check('call', call, where)
  for (const answer of [...one.answers ?? [], ...one.mailbox?.faults?.map((fault) => fault.answer) ?? []]) check('answer', answer, where)
  const { result, error } = one.expected
  if ((result === undefined) === (error === undefined)) throw new Error(`${where}: expects neither a result nor an error, or both`)
  if ((one.calls ?? calls ?? []).length === 0) throw new Error(`${where}: has no calls`)
}

function check(kind: keyof typeof members, value: object, where: string) {
  const unknown = Object.keys(value).filter((name) => !(name in members[kind]))
  if (unknown.length > 0) throw new Error(`${where}: the ${kind} has unknown members: ${unknown.join(', ')}`)
}
