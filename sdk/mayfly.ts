import { connect } from './core/connection.ts'
import type { Connection } from './core/connection.ts'
import type { MayflyOptions, RawRequestOptions } from './core/options.ts'
import type { MayflyPromise } from './core/promise.ts'
import type { RateLimit } from './core/rate-limit.ts'
import { addressOperations } from './resources/addresses.ts'
import { analyticsOperations } from './resources/analytics.ts'
import { apiKeyOperations } from './resources/api-keys.ts'
import { auditLogOperations } from './resources/audit-logs.ts'
import { domainOperations } from './resources/domains.ts'
import { emailOperations } from './resources/emails.ts'
import { eventOperations } from './resources/events.ts'
import { forwardingAddressOperations } from './resources/forwarding-addresses.ts'
import { forwardingRuleOperations } from './resources/forwarding-rules.ts'
import { inboxOperations } from './resources/inboxes.ts'
import { testOperations } from './resources/test.ts'
import { webhookOperations } from './resources/webhooks.ts'
import { openWaits } from './wait-for/begin.ts'
import { trackSeenMail } from './wait-for/seen-mail.ts'

/**
 * A client of one Mayfly server and one account. Every method returns a promise that rejects with a `MayflyError`,
 * or with the reason of the call's `signal`. Times in answers are `Date`s.
 * @throws MayflyError when an option cannot be used
 * @example
 * const mayfly = new Mayfly({ apiKey: process.env.MAYFLY_API_KEY!, baseUrl: 'http://localhost:3000' })
 * const { id, address } = await mayfly.addresses.create({ expiresIn: 600 })
 * console.log(`Send the code to ${address}`)
 * const email = await mayfly.emails.waitFor({ addressId: id })
 * console.log(email.codes[0])
 */
export class Mayfly {
  /** Temporary addresses, each with a lifetime. */
  declare readonly addresses: ReturnType<typeof addressOperations>
  /** Mail that the addresses received or sent. */
  declare readonly emails: ReturnType<typeof emailOperations>
  /** Temporary addresses with methods for their mail, for tests: wait, list, delete. */
  declare readonly inboxes: ReturnType<typeof inboxOperations>
  /** Custom domains for addresses, verified through DNS records. */
  declare readonly domains: ReturnType<typeof domainOperations>
  /** Personal addresses that mail may be forwarded to, once verified. */
  declare readonly forwardingAddresses: ReturnType<typeof forwardingAddressOperations>
  /** For each temporary address a rule with the filters and the target of forwarded mail. */
  declare readonly forwardingRules: ReturnType<typeof forwardingRuleOperations>
  /** Counters of the account. */
  declare readonly analytics: ReturnType<typeof analyticsOperations>
  /** The record of every authenticated call of the API. */
  declare readonly auditLogs: ReturnType<typeof auditLogOperations>
  /** Keys that can do at most what the key of the client can. */
  declare readonly apiKeys: ReturnType<typeof apiKeyOperations>
  /** Subscriptions that post events to a server of yours. */
  declare readonly webhooks: ReturnType<typeof webhookOperations>
  /** The live stream of the account's events. */
  declare readonly events: ReturnType<typeof eventOperations>
  /** Operations for test keys alone. */
  declare readonly test: ReturnType<typeof testOperations>

  readonly #connection: Connection

  constructor(options: MayflyOptions = {}) {
    const connection = this.#connection = connect(options)
    const seen = trackSeenMail()
    const waitFor = openWaits(connection, seen)
    this.addresses = addressOperations(connection, seen)
    this.emails = emailOperations(connection, seen, waitFor)
    this.inboxes = inboxOperations(this.addresses, this.emails, waitFor)
    this.domains = domainOperations(connection)
    this.forwardingAddresses = forwardingAddressOperations(connection)
    this.forwardingRules = forwardingRuleOperations(connection)
    this.analytics = analyticsOperations(connection)
    this.auditLogs = auditLogOperations(connection)
    this.apiKeys = apiKeyOperations(connection)
    this.webhooks = webhookOperations(connection)
    this.events = eventOperations(connection)
    this.test = testOperations(connection)
  }

  /**
   * Sends a request of your own, with the key, the retries and the errors of the other methods, and returns the JSON of the answer
   * unchanged: for the classic dialect, and for what this version does not know.
   * @param path such as `/addresses`, with or without `/api/v1`
   * @returns null for an answer without a body
   * @throws NotFoundError when the account has nothing at this path
   * @example
   * const { data } = await mayfly.request<{ data: { email: string } }>('POST', '/addresses', {
   *   dialect: 'classic', body: { expiresIn: 2 },
   * })
   * console.log(data.email)
   */
  request<Body = unknown>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, options: RawRequestOptions = {},
  ): MayflyPromise<Body> {
    return this.#connection.request(method, path, options)
  }

  /**
   * The rate limit, from the last answer. Undefined before the first.
   * @example
   * await mayfly.addresses.list()
   * const { remaining, resetAt } = mayfly.rateLimit!
   * if (remaining < 10) console.log(`${remaining} requests are left until ${resetAt.toISOString()}`)
   */
  get rateLimit(): RateLimit | undefined {
    return this.#connection.rateLimit
  }
}
