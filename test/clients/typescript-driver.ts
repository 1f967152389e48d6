import { inspect } from 'node:util'
import { ApiError, Mayfly, TimeoutError, webhooks } from '@mayfly-mail/sdk'
import type { Inbox } from '@mayfly-mail/sdk'
import { openJumpingClock } from './jumping-clock.ts'
import type { Outcome, OutcomeError, Pause, Task, TaskCall } from './outcome.ts'

type Method = (...values: unknown[]) => unknown

/** Carries out a case with the TypeScript SDK, in this process. */
export async function runTypeScript({ client, environment, calls }: Task): Promise<Outcome> {
  using changes = new DisposableStack()
  const clock = changes.use(openJumpingClock())
  changes.use(setEnvironment(environment))
  const began = clock.now()
  const events: unknown[] = []
  const pauses: Pause[] = []
  let attemptBegan = 0
  let sdk: Mayfly | undefined
  try {
    sdk = new Mayfly({
      ...client,
      hooks: {
        onRequest(event) {
          events.push(event)
          attemptBegan = clock.now()
        },
        onResponse: (event) => void events.push(event),
        onRetry(event) {
          events.push(event)
          pauses.push({ pauseMs: event.delayMs, intervalMs: event.delayMs + clock.now() - attemptBegan })
          clock.expectPause(event.delayMs)
        },
      },
    })
    const result = await runCalls(sdk, calls)
    return { result: await toJson(result), pauses, elapsedMs: clock.now() - began, shown: show([sdk, events]) }
  } catch (error) {
    return { error: toError(error), pauses, elapsedMs: clock.now() - began, shown: show([sdk, events, error]) }
  }
}

async function runCalls(sdk: Mayfly, calls: TaskCall[]): Promise<unknown> {
  let result: unknown
  let inbox: Inbox | undefined
  for (const { method, ids, input, options, maxItems } of calls) {
    const [owner, name] = method.split('.') as [string, string]
    const given = [...ids, ...input ? [toValue(input)] : [], ...options ? [options] : []]
    if (method === 'request') result = await (sdk.request as Method)(...ids, { ...input, ...options })
    else if (method in packageFunctions) result = await packageFunctions[method]!(toValue(input))
    else {
      const object = (owner === 'inbox' ? inbox : sdk[owner as 'emails']) as unknown as Record<string, Method>
      const returned = object[name]!(...given)
      result = maxItems === null ? await returned : await firstItems(returned as AsyncIterable<unknown>, maxItems)
    }
    if (owner === 'inboxes') inbox = result as Inbox
  }
  return result
}

const packageFunctions: Record<string, (given: any) => Promise<unknown>> = {
  'webhooks.verify': ({ body, headers, secret, ...options }) => webhooks.verify(body, headers, secret, options),
  'webhooks.sign': ({ secret, deliveryId, form, now, ...event }) => webhooks.sign(event, secret, { deliveryId, form, now }),
}

async function firstItems(list: AsyncIterable<unknown>, maxItems: number): Promise<unknown[]> {
  const items = []
  for await (const item of list) {
    items.push(item)
    if (items.length === maxItems) break
  }
  return items
}

/** Makes the values that JSON has not. */
function toValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toValue)
  if (typeof value !== 'object' || value === null) return value
  const { expression, flags, date, base64 } = value as Record<string, string | undefined>
  if (expression !== undefined) return new RegExp(expression, flags)
  if (date !== undefined) return new Date(date)
  if (base64 !== undefined) return Buffer.from(base64, 'base64')
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toValue(member)]))
}

async function toJson(result: unknown): Promise<unknown> {
  if (result instanceof Blob) return { text: await result.text() }
  const { items, total, limit, offset, hasMore, cursor } = Object(result) as Record<string, unknown>
  const value = items === undefined ? result : { items, total, limit, offset, hasMore, cursor }
  return value === undefined ? null : JSON.parse(JSON.stringify(value)) as unknown
}

function toError(error: unknown): OutcomeError {
  const { name, constructor, message, cause } = error as Error
  const { status, code, requestId, retryAfterMs, details } = error instanceof ApiError ? error : {} as Partial<ApiError>
  return {
    class: constructor.name === name ? name : `${constructor.name}, named ${name}`, message, status, code, requestId, retryAfterMs, details,
    cause: cause instanceof Error ? cause.name : undefined,
    arrived: error instanceof TimeoutError ? error.arrived.map(({ subject }) => subject) : undefined,
  }
}

const show = (values: unknown[]) =>
  values.map((value) => `${String(value)}\n${inspect(value, { depth: 20, showHidden: true, getters: true })}\n${JSON.stringify(value)}`).join('\n')

function setEnvironment(variables: Record<string, string>): Disposable {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  return {
    [Symbol.dispose]() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    },
  }
}
