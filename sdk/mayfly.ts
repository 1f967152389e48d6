import type { RateLimit } from './answers.ts'
import { connect } from './connection.ts'
import type { Connection } from './connection.ts'
import { inboxOperations } from './inboxes.ts'
import { analyticsOperations, auditLogOperations } from './operations/account.ts'
import { addressOperations } from './operations/addresses.ts'
import { domainOperations } from './operations/domains.ts'
import { emailOperations } from './operations/emails.ts'
import { eventOperations } from './operations/events.ts'
import { forwardingAddressOperations } from './operations/forwarding-addresses.ts'
import { forwardingRuleOperations } from './operations/forwarding-rules.ts'
import { testOperations } from './operations/test.ts'
import { webhookOperations } from './operations/webhooks.ts'
import type { MayflyOptions } from './options.ts'
import { trackShown } from './wait-for/shown.ts'

/**
 * A client of one Mayfly server and one account. Every method returns a promise that rejects with a `MayflyError`,
 * or with the reason of the `signal` that it was given. Times in answers are `Date`s.
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
  /** Addresses that know their mail, for tests: wait, list, delete. */
  declare readonly inboxes: ReturnType<typeof inboxOperations>
  /** Custom domains for addresses, verified through DNS records. */
  declare readonly domains: ReturnType<typeof domainOperations>
  /** Personal addresses that mail may be forwarded to, once verified. */
  declare readonly forwardingAddresses: ReturnType<typeof forwardingAddressOperations>
  /** One rule per temporary address that says what is forwarded, and where to. */
  declare readonly forwardingRules: ReturnType<typeof forwardingRuleOperations>
  /** Counters of the account. */
  declare readonly analytics: ReturnType<typeof analyticsOperations>
  /** The record of every authenticated call of the API. */
  declare readonly auditLogs: ReturnType<typeof auditLogOperations>
  /** Subscriptions that push events to a server of yours. */
  declare readonly webhooks: ReturnType<typeof webhookOperations>
  /** What happens in the account, as it happens. */
  declare readonly events: ReturnType<typeof eventOperations>
  /** What test keys may do beside all else. */
  declare readonly test: ReturnType<typeof testOperations>

  readonly #connection: Connection

  constructor(options: MayflyOptions = {}) {
    const connection = this.#connection = connect(options)
    const shown = trackShown()
    this.addresses = addressOperations(connection, shown)
    this.emails = emailOperations(connection, shown)
    this.inboxes = inboxOperations(this.addresses, this.emails)
    this.domains = domainOperations(connection)
    this.forwardingAddresses = forwardingAddressOperations(connection)
    this.forwardingRules = forwardingRuleOperations(connection)
    this.analytics = analyticsOperations(connection)
    this.auditLogs = auditLogOperations(connection)
    this.webhooks = webhookOperations(connection)
    this.events = eventOperations(connection)
    this.test = testOperations(connection)
  }

  /**
   * What is left of the rate limit, as the last answer told. Undefined before the first.
   * @example
   * await mayfly.addresses.list()
   * const { remaining, resetAt } = mayfly.rateLimit!
   * if (remaining < 10) console.log(`${remaining} requests are left until ${resetAt.toISOString()}`)
   */
  get rateLimit(): RateLimit | undefined {
    return this.#connection.rateLimit
  }
}
