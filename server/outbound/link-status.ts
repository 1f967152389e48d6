import { unlessAborted, withDeadline } from '../deadline.ts'
import { isPublicTarget, siteOf } from '../network.ts'
import { FairDispatcher } from '../turns/fair-queue.ts'
import { burstRate } from '../turns/usage-rate.ts'
import type { Resolver } from './dns.ts'
import { findTarget, refusalOf, TargetError } from './webhook-target.ts'
import { reasonOf, requestOnce } from './webhook.ts'

/** How a link answered. */
export interface LinkStatus {
  /** Of the answer after its redirects; null without one. */
  status: number | null
  /** That were followed; null when a limit ended its requests, which says nothing of the link. */
  redirects: number | null
  /** Why it did not answer, or was not requested, as a sentence. */
  error: string | null
}

type Answered = LinkStatus & { redirects: number }

export interface LinkRequests {
  /** Requests links for an account. It never rejects. @returns the status of each, in their order */
  statusOf(accountId: string, urls: string[], signal: AbortSignal): Promise<LinkStatus[]>
}

export interface LinkRequestsOptions {
  resolver: Resolver
  /** Whether links may reach this host and its network. */
  allowPrivate: boolean
  /** For a link with its redirects, and for all links of a call. */
  timeoutMs?: number
  totalTimeoutMs?: number
  /** Replaces `isPublicTarget` in tests. */
  isPublic?: (ip: string, port: number) => boolean
}

const maxRedirects = 5
/** Maximum links that are requested at once, of all accounts, which share them evenly, and of one account: links may be slow. */
const [maxAtOnce, maxOfAccount] = [32, 8]

/**
 * Requests a second and at once to a site, of an account and of all: the checks of mails are no means to load the site of another. Of those
 * of an account, the share of its own does not count for all, so that others do not use it up.
 */
const [perAccount, ownShare, perSite] = [[2, 200], [0.1, 100], [5, 600]] as const

/** A limit ended the requests of a link. */
class LimitError extends TargetError {}

const headers = { 'user-agent': 'Mayfly link check', accept: '*/*' }

interface LinkRequest {
  accountId: string
  run(): Promise<void>
}

/** Requests that wait in rotation of their accounts. Those that end make room for an account with less than its share. */
function openTurns(): FairDispatcher<LinkRequest> {
  const underWay: string[] = []
  const shareOf = (accounts: Set<string>) => Math.min(maxOfAccount, Math.max(1, Math.floor(maxAtOnce / accounts.size)))
  const turns: FairDispatcher<LinkRequest> = new FairDispatcher({
    isFull: () => underWay.length >= maxAtOnce,
    mayStart: (accountId) => underWay.filter((other) => other === accountId).length < shareOf(new Set([...underWay, ...turns.names()])),
    start({ accountId, run }) {
      underWay.push(accountId)
      void run().finally(() => {
        underWay.splice(underWay.indexOf(accountId), 1)
        turns.startNext()
      })
    },
  })
  return turns
}

/** Requests the links of mails, to hosts that were checked, against SSRF. It sends no cookies, and reads no bodies. */
export function openLinkRequests(options: LinkRequestsOptions): LinkRequests {
  const { resolver, allowPrivate, timeoutMs = 5_000, totalTimeoutMs = 15_000, isPublic = isPublicTarget } = options
  const isAllowed = allowPrivate ? () => true : isPublic
  const waiting = openTurns()
  const [ofAccount, ofShare, ofAll] = [burstRate(...perAccount), burstRate(...ownShare), burstRate(...perSite)]

  function countRequest(accountId: string, site: string): void {
    const name = `${accountId} ${site}`
    const counted = ofShare.waitMs(name) === 0 ? [ofShare, name] as const : [ofAll, site] as const
    const rates = [[ofAccount, name] as const, counted]
    if (rates.some(([rate, name]) => rate.waitMs(name) > 0)) {
      throw new LimitError(`Too many links to ${site} were requested. Check this mail again in a minute.`)
    }
    for (const [rate, name] of rates) rate.record(name, 1)
  }

  async function statusOf(accountId: string, url: string, stopped: AbortSignal): Promise<LinkStatus> {
    const found: Answered = { status: null, redirects: 0, error: null }
    let isLimited = false
    await withDeadline({
      timeoutMs, timeoutReason: new TargetError(`The link did not answer within ${timeoutMs / 1000} seconds.`),
      signal: stopped,
    }, async (signal) => {
      try {
        await follow(accountId, url, found, signal)
      } catch (error) {
        const reason = stopped.aborted ? stopped.reason : signal.aborted ? signal.reason : error
        found.status = null
        found.error = reasonOf(reason)
        isLimited = reason instanceof LimitError
      }
    })
    return isLimited ? { ...found, redirects: null } : found
  }

  async function follow(accountId: string, link: string, found: Answered, signal: AbortSignal): Promise<void> {
    let url = link
    for (;;) {
      const refusal = refusalOf(url, allowPrivate, true)
      if (refusal) throw new TargetError(`The URL ${refusal}.`)
      const target = new URL(url)
      const addresses = await unlessAborted(findTarget(resolver, target, isAllowed), signal)
      const request = async (method: 'HEAD' | 'GET') => {
        countRequest(accountId, siteOf(target.hostname))
        let answer = { status: 0, location: '' }
        await requestOnce(target, addresses, { method, headers, signal }, async ({ statusCode, headers: { location }, body }) => {
          body.on('error', () => {}) // it is not read
          answer = { status: statusCode, location: [location].flat()[0] ?? '' }
        })
        return answer
      }
      const head = await request('HEAD')
      const { status, location } = head.status >= 400 ? await request('GET') : head // some servers know no HEAD
      found.status = status
      if (status < 300 || status >= 400 || !location) return
      if (found.redirects === maxRedirects) throw new TargetError(`The link has more than ${maxRedirects} redirects.`)
      const next = URL.parse(location, target)
      if (!next) throw new TargetError('The link redirects to what is not a URL.')
      found.redirects++
      url = next.href
    }
  }

  return {
    async statusOf(accountId, urls, closing) {
      return withDeadline({
        timeoutMs: totalTimeoutMs,
        timeoutReason: new LimitError(`The links of this mail did not answer within ${totalTimeoutMs / 1000} seconds in all.`),
        signal: closing,
        abortReason: new LimitError('This server was stopped.'),
      }, (signal) => {
        const inTurn = (url: string) => new Promise<LinkStatus>((resolve) => {
          waiting.push(accountId, { accountId, run: () => statusOf(accountId, url, signal).then(resolve) })
        })
        return Promise.all(urls.map(inTurn))
      })
    },
  }
}
