import type { Context } from 'koa'
import type { Caller } from '../context.ts'
import type { ErrorCode } from '../contract/types.gen.ts'
import { AppError, invalidRequest, rateLimited } from '../errors.ts'
import { pause } from './gone.ts'

const header = 'X-Mayfly-Fault'

/** What a call with a test key has asked to happen to it. */
interface Fault {
  /** Milliseconds. */
  delay: number
  status: number | undefined
  disconnects: boolean
}

/** The statuses that may be asked for. The document has no code for 503, so it is told as any fault of a server. */
const codes: Record<string, ErrorCode | undefined> = { 429: 'RATE_LIMITED', 500: 'INTERNAL_ERROR', 503: 'INTERNAL_ERROR' }
const longestDelay = 60_000
/** Calls of one account that may be delayed at a time. */
const mostDelayed = 100

/** An answer that was asked for: no operation describes it, and no log needs to tell of it. */
export class AskedFault extends AppError {
  private readonly askedStatus: number

  constructor(status: number) {
    super(codes[status]!, `This call asked for the status ${status} with ${header}.`)
    this.askedStatus = status
    if (status !== 500) this.retryAfter = 1
  }

  override get status() {
    return this.askedStatus
  }
}

/**
 * Lets happen to a call what its header asks for, so that clients can be tested with it.
 * @returns a function that resolves when the call may go on
 * @throws AskedFault, AppError `INVALID_REQUEST` when the header is malformed or the key is live, `RATE_LIMITED` when too many wait
 */
export function faultsOnDemand(): (ctx: Context, caller: Caller, gone: () => AbortSignal) => Promise<void> {
  const delayed = new Map<string, number>()
  return async (ctx, caller, gone) => {
    const wish = ctx.req.headers['x-mayfly-fault']
    if (wish === undefined) return
    const fault = readFault(String(wish), caller)
    const { accountId } = caller
    const others = delayed.get(accountId) ?? 0
    if (fault.delay > 0) {
      if (others >= mostDelayed) throw tooManyDelayed()
      delayed.set(accountId, others + 1)
      await pause(fault.delay, gone())
      const left = delayed.get(accountId)! - 1
      if (left > 0) delayed.set(accountId, left)
      else delayed.delete(accountId)
    }
    if (fault.disconnects) ctx.req.socket.destroy()
    if (fault.status === undefined && !fault.disconnects) return
    ctx.state['isAskedFault'] = true
    throw new AskedFault(fault.status ?? 503)
  }
}

function readFault(wish: string, caller: Caller): Fault {
  if (caller.mode !== 'test') throw invalid('works with test keys only')
  const fault: Fault = { delay: 0, status: undefined, disconnects: false }
  const seen = new Set<string>()
  for (const part of wish.split(',')) {
    const [, name = '', value = ''] = /^(\w+)(?:=(\d{1,5}))?$/.exec(part.trim()) ?? []
    if (!takes.get(name)?.(value) || seen.has(name)) throw invalid(expected)
    seen.add(name)
    if (name === 'delay') fault.delay = Number(value)
    else if (name === 'status') fault.status = Number(value)
    else fault.disconnects = true
  }
  if (fault.disconnects && fault.status !== undefined) throw invalid(expected)
  return fault
}

const takes = new Map<string, (value: string) => boolean>([
  ['delay', (value) => value !== '' && Number(value) <= longestDelay],
  ['status', (value) => codes[value] !== undefined],
  ['disconnect', (value) => value === ''],
])

const expected = `takes delay=MILLISECONDS, up to ${longestDelay}, and one of ${Object.keys(codes).map((status) => `status=${status}`).join(', ')}, ` +
  'disconnect, separated by a comma'

const invalid = (message: string) => invalidRequest(`header.${header}`, message)

const tooManyDelayed = () => rateLimited(`${mostDelayed} calls of this account are being delayed already. Try again when one is over.`)
