import type { App, OtherCell, CellMail, Cells } from '../context.ts'
import { nameOfAddress } from '../domain/cells.ts'
import { isUnavailable, MailRefusedError } from '../errors.ts'
import type { SmtpReply } from '../errors.ts'
import { CellConnection } from './cell-connection.ts'
import type { LimitedConnection, LimitedSession } from './connection.ts'
import type { MailSource } from './mail-source.ts'

/** The mail, or the login, of a session that is passed on. */
interface PassedOn {
  mail: CellMail
  /** Then all of its mail goes there. */
  isLoggedIn: boolean
  hasRecipient: boolean
}

const unavailable = (code: number, status: string): SmtpReply => ({ code, status, text: 'A part of this service does not answer, try again later' })
const anotherCell: SmtpReply = { code: 452, status: '4.5.3', text: 'This recipient needs a mail of its own, send it again' }

/**
 * Passes on mail to addresses of other cells, as it comes: a command is answered as the other cell answers it. The recipients of a mail
 * are of one cell, that of the first.
 */
export class CellSessions {
  readonly Connection = CellConnection
  readonly #app: App
  readonly #cells: Cells
  readonly #passedOn = new WeakMap<LimitedConnection, PassedOn>()

  constructor(app: App, cells: Cells) {
    this.#app = app
    this.#cells = cells
  }

  /** Whether the mail of a session goes to another cell. */
  has({ connection }: LimitedSession): boolean {
    return this.#passedOn.get(connection)?.hasRecipient ?? false
  }

  isLoggedIn({ connection }: LimitedSession): boolean {
    return this.#passedOn.get(connection)?.isLoggedIn ?? false
  }

  /** Logs in to the cell of an address. @returns false without one @throws MailRefusedError, also for a wrong password */
  async logIn(session: LimitedSession, username: string, password: string): Promise<boolean> {
    return withReply(unavailable(454, '4.7.0'), async () => {
      const cell = await this.#find(session, username)
      if (!cell) return false
      const mail = await this.#open(session, cell)
      const token = Buffer.from(`\0${username}\0${password}`).toString('base64')
      await mail.command(`AUTH PLAIN ${token}`).catch((error: unknown) => this.#refuseMoved(session, username, error))
      this.#passedOn.get(session.connection)!.isLoggedIn = true
      return true
    })
  }

  /** Begins another mail of a session. It is passed on with its first recipient, that of a login at once. */
  async beginMail(session: LimitedSession, sender: string, parameters: object): Promise<void> {
    const passed = this.#passedOn.get(session.connection)
    if (!passed) return
    passed.hasRecipient = false
    if (passed.isLoggedIn && !passed.mail.isOpen) throw new MailRefusedError('INTERNAL_ERROR', 'The login has ended', null) // the client logs in again
    if (passed.isLoggedIn) await withReply(unavailable(451, '4.4.1'), () => passed.mail.begin(sender, inWords(parameters)))
  }

  /**
   * Passes on a recipient that this cell does not have.
   * @returns false when no other cell has it either
   * @throws MailRefusedError with the reply of the cell
   */
  async recipient(session: LimitedSession, address: string): Promise<boolean> {
    return withReply(unavailable(451, '4.4.1'), async () => {
      const { connection, envelope: { mailFrom } } = session
      let passed = this.#passedOn.get(connection)
      if (!passed?.isLoggedIn) {
        const cell = await this.#find(session, address)
        if (!cell) return false
        if (connection.recipients.size > 0 || passed?.hasRecipient && passed.mail.cell !== cell) throw refusedBy(anotherCell)
        if (!passed?.hasRecipient) {
          const mail = await this.#open(session, cell)
          if (mailFrom) await mail.begin(mailFrom.address, inWords(mailFrom.args || {}))
          passed = this.#passedOn.get(connection)!
        }
      }
      await passed.mail.recipient(address).catch((error: unknown) => this.#refuseMoved(session, address, error))
      passed.hasRecipient = true
      return true
    })
  }

  /** Refuses a recipient of this cell in a mail to another one. @throws MailRefusedError */
  refuseOwn(session: LimitedSession): void {
    if (this.has(session)) throw refusedBy(anotherCell)
  }

  /** @throws MailRefusedError unless the cell takes the mail */
  async beginData({ connection }: LimitedSession): Promise<void> {
    await withReply(unavailable(451, '4.4.1'), () => this.#passedOn.get(connection)!.mail.command('DATA'))
  }

  /** Resolves when the cell has the mail on disk. @throws MailRefusedError */
  async send({ connection }: LimitedSession, source: MailSource): Promise<void> {
    this.#app.metrics.cells?.passedOn('mail')
    await withReply(unavailable(451, '4.4.1'), () => this.#passedOn.get(connection)!.mail.send(source, (bytes) => source.recordStored(bytes)))
  }

  isSecret(text: string): boolean {
    return this.#cells.isSecret(text)
  }

  /** Ends the session at the other cell. */
  end(connection: LimitedConnection): void {
    this.#passedOn.get(connection)?.mail.close()
    this.#passedOn.delete(connection)
  }

  /** The other cell of an address; undefined for none, and in a session that another cell has passed on. */
  async #find({ connection }: LimitedSession, address: string): Promise<OtherCell | undefined> {
    const name = connection instanceof CellConnection && connection.isRelayed ? undefined : nameOfAddress(this.#app, address)
    return name && (await this.#cells.find(name, connection.network))?.cell
  }

  /** @throws UnavailableError when the address is at another cell meanwhile, else the error */
  async #refuseMoved({ connection }: LimitedSession, address: string, error: unknown): Promise<never> {
    const passed = this.#passedOn.get(connection)!
    const name = nameOfAddress(this.#app, address)
    if (!name || passed.isLoggedIn) throw error
    return this.#cells.refuseMoved(error, name, passed.mail.cell, connection.network)
  }

  /** A session with a cell: that of the mail before, if it is there and has the same client. */
  async #open({ connection, hostNameAppearsAs, secure }: LimitedSession, cell: OtherCell): Promise<CellMail> {
    const before = this.#passedOn.get(connection)?.mail
    const helo = String(hostNameAppearsAs)
    if (before?.cell === cell && before.helo === helo && before.isOpen) return before
    this.end(connection)
    const mail = await this.#cells.openMail(cell, { address: connection.address, helo, isTls: secure })
    if (!connection.isInSession) mail.close()
    this.#passedOn.set(connection, { mail, isLoggedIn: false, hasRecipient: false })
    return mail
  }
}

const refusedBy = (reply: SmtpReply) => new MailRefusedError('INTERNAL_ERROR', reply.text, reply)

/** Runs a step. @param reply that of the step when a cell does not answer */
async function withReply<Result>(reply: SmtpReply, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!isUnavailable('cell', error)) throw error
    throw refusedBy(reply)
  }
}

/** The parameters of MAIL that are passed on. */
const inWords = (given: object) => Object.entries(given).filter(([name]) => ['SIZE', 'BODY', 'SMTPUTF8'].includes(name))
  .map(([name, value]) => value === true ? ` ${name}` : ` ${name}=${String(value)}`).join('')
