import type { Context } from 'koa'
import type { Caller } from '../../context.ts'
import type { ErrorCode } from '../../contract/types.gen.ts'
import { pause } from '../../deadline.ts'
import { AppError, invalidRequest, rateLimited } from '../../errors.ts'

const header = 'X-Mayfly-Fault'

export const faultHeader = 'x-mayfly-fault'

/** The fault that the header of a call in test mode requests. */
interface Fault {
  delayMs: number
  status: number | undefined
  disconnects: boolean
}

/** The statuses that a call can request. The document has no code for 503, so its answer has that of a server error. */
const codes: Record<string, ErrorCode | undefined> = { 429: 'RATE_LIMITED', 500: 'INTERNAL_ERROR', 503: 'INTERNAL_ERROR' }
const maxDelayMs = 60_000
/** Maximum delayed calls of one account at a time. */
const maxDelayed = 100

/** An error that the call requested: no operation documents its status, and it is not logged as a server error. */
export class RequestedFault extends AppError {
  constructor(status: number) {
    super(codes[status]!, `This call asked for the status ${status} with ${header}.`, { status })
    if (status !== 500) this.retryAfter = 1
  }
}

/**
 * Fault injection for tests of clients: delays a call, disconnects it or fails it with a status, as its header requests.
 * @returns a function that resolves when the call may continue
 * @throws RequestedFault, AppError `INVALID_REQUEST` when the header is malformed or the key is live, `RATE_LIMITED` when too many wait
 */
export function faultsOnDemand(): (ctx: Context, requested: string, caller: Caller, gone: () => AbortSignal) => Promise<void> {
  const delayed = new Map<string, number>()
  return async (ctx, requested, caller, gone) => {
    const fault = readFault(requested, caller)
    const { accountId } = caller
    const others = delayed.get(accountId) ?? 0
    if (fault.delayMs > 0) {
      if (others >= maxDelayed) throw tooManyDelayed()
      delayed.set(accountId, others + 1)
      await pause(fault.delayMs, gone())
      const left = delayed.get(accountId)! - 1
      if (left > 0) delayed.set(accountId, left)
      else delayed.delete(accountId)
    }
    if (fault.disconnects) ctx.req.socket.destroy()
    if (fault.status === undefined && !fault.disconnects) return
    ctx.state.isRequestedFault = true
    throw new RequestedFault(fault.status ?? 503)
  }
}

function readFault(requested: string, caller: Caller): Fault {
  if (caller.mode !== 'test' || caller.share) throw invalid('works with test keys only')
  const fault: Fault = { delayMs: 0, status: undefined, disconnects: false }
  const seen = new Set<string>()
  for (const part of requested.split(',')) {
    const [, name = '', value = ''] = /^(\w+)(?:=(\d{1,5}))?$/.exec(part.trim()) ?? []
    if (!takes.get(name)?.(value) || seen.has(name)) throw invalid(expected)
    seen.add(name)
    if (name === 'delay') fault.delayMs = Number(value)
    else if (name === 'status') fault.status = Number(value)
    else fault.disconnects = true
  }
  if (fault.disconnects && fault.status !== undefined) throw invalid(expected)
  return fault
}

const takes = new Map<string, (value: string) => boolean>([
  ['delay', (value) => value !== '' && Number(value) <= maxDelayMs],
  ['status', (value) => codes[value] !== undefined],
  ['disconnect', (value) => value === ''],
])

const expected = `takes delay=MILLISECONDS, up to ${maxDelayMs}, and one of ${Object.keys(codes).map((status) => `status=${status}`).join(', ')}, ` +
  'disconnect, separated by a comma'

const invalid = (message: string) => invalidRequest(`header.${header}`, message)

const tooManyDelayed = () => rateLimited(`${maxDelayed} calls of this account are being delayed already. Try again when one is over.`)
