import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { MailRefusedError } from '../errors.ts'
import type { SmtpReply, UnavailableError } from '../errors.ts'
import type { OtherCell } from './other-cell.ts'
import type { OutgoingMail } from './session.ts'

/** The client of a session that is passed on. */
export interface PassedClient {
  /** Its IP address. */
  address: string
  /** Its name by EHLO. */
  helo: string
  /** Whether it came over TLS. */
  isTls: boolean
}

/** Milliseconds without a byte until the session has begun, and then: a fault may delay a reply by a minute. */
const openMs = 5_000
const silenceMs = 120_000
/** Maximum bytes of a reply. */
const maxReplyBytes = 16 * 1024
const DOT = 0x2e
/** A reply to its last line: code, enhanced status and text. */
const wholeReply = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?: (?:([245]\.\d{1,3}\.\d{1,3}) ?)?([^\r\n]*))?\r?\n/

/**
 * An SMTP session with another cell, for one client. Its commands are those of the client, one at a time. Each throws MailRefusedError with
 * the reply of the cell, or UnavailableError.
 */
export class CellMail {
  readonly cell: OtherCell
  /** The name of the client by EHLO. */
  readonly helo: string
  readonly #socket: Socket
  #received = ''
  #wake = () => {}
  #isInMail = false
  #fault = new Error('it closes the connection')

  private constructor(cell: OtherCell, helo: string, socket: Socket) {
    this.cell = cell
    this.helo = helo
    this.#socket = socket
    socket.setEncoding('utf8').on('data', (text: string) => {
      this.#received += text
      if (this.#received.length > maxReplyBytes) socket.destroy(new Error('its reply is too long'))
      this.#wake()
    })
    socket.on('error', (error) => { this.#fault = error }).on('drain', () => this.#wake()).once('close', () => this.#wake())
    socket.setTimeout(openMs, () => socket.destroy(new Error('it does not reply in time')))
  }

  /** Begins a session. @throws UnavailableError */
  static async open(cell: OtherCell, secret: string, { address, helo, isTls }: PassedClient): Promise<CellMail> {
    await cell.ready()
    const session = new CellMail(cell, helo, connect(cell.place.smtp))
    try {
      await session.#reply()
      await session.command(`XCELL ${secret} ${address} ${isTls ? 'TLS' : 'CLEAR'}`)
      await session.command(`EHLO ${helo}`)
      session.#socket.setTimeout(silenceMs)
      return session
    } catch (error) {
      session.close()
      throw cell.unavailable(error as Error)
    }
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** Ends the session; a mail that is not whole is dropped. */
  close(): void {
    this.#socket.destroy()
  }

  /** Begins a mail, and drops the mail before if it was not sent. @param parameters of the command MAIL, such as ` SIZE=100` */
  async begin(sender: string, parameters = ''): Promise<void> {
    if (this.#isInMail) await this.command('RSET')
    this.#isInMail = true
    await this.command(`MAIL FROM:<${pathOf(sender)}>${parameters}`)
  }

  recipient(address: string): Promise<SmtpReply> {
    return this.command(`RCPT TO:<${pathOf(address)}>`)
  }

  /**
   * Sends a mail after the 354 to DATA.
   * @param source with CRLF line endings
   * @param recordSent gets the bytes of each piece that is sent
   */
  async send(source: AsyncIterable<Uint8Array>, recordSent: (bytes: number) => void = () => {}): Promise<void> {
    let isLineStart = true
    let end = ''
    try {
      for await (const piece of source) {
        const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
        const { length } = bytes
        if (length === 0) continue
        end = (end + bytes.toString('latin1', Math.max(0, length - 2))).slice(-2)
        await this.#write(stuffed(bytes, isLineStart))
        isLineStart = end.endsWith('\n')
        recordSent(length)
      }
    } catch (error) {
      this.close() // without the final dot, the cell drops it
      throw error
    }
    this.#isInMail = false
    const { code } = await this.command(end === '\r\n' || end === '' ? '.' : '\r\n.')
    if (code >= 300) throw this.#fail(new Error(`it answers a mail with ${code}`))
  }

  /** Sends a whole mail. */
  async deliver({ sender, recipient, source, sizeBytes }: OutgoingMail): Promise<void> {
    await this.begin(sender, ` SIZE=${sizeBytes}`)
    await this.recipient(recipient)
    await this.command('DATA')
    await this.send(source())
  }

  /** Sends a command. @returns the reply below 400 */
  async command(line: string): Promise<SmtpReply> {
    if (/[\r\n]/.test(line.replace(/^\r\n\.$/, ''))) throw new MailRefusedError('INVALID_REQUEST', 'A line break in a command', syntaxError)
    this.#socket.write(`${line}\r\n`)
    const reply = await this.#reply()
    if (reply.code >= 400) throw new MailRefusedError('INTERNAL_ERROR', reply.text, reply)
    return reply
  }

  async #write(bytes: Buffer) {
    if (!this.isOpen) throw this.#fail()
    this.#socket.write(bytes)
    while (this.isOpen && this.#socket.writableNeedDrain) await this.#wait()
  }

  async #reply(): Promise<SmtpReply> {
    for (;;) {
      const [all, code, status = '', text = ''] = wholeReply.exec(this.#received) ?? []
      if (all !== undefined) {
        this.#received = this.#received.slice(all.length)
        return { code: Number(code), status, text }
      }
      if (!this.isOpen) throw this.#fail()
      await this.#wait()
    }
  }

  /** Waits until something happens at the socket. */
  async #wait(): Promise<void> {
    try {
      await this.cell.whilePresent(new Promise<void>((resolve) => { this.#wake = resolve }))
    } catch (error) {
      throw this.#fail(error as Error)
    }
  }

  /** Ends the session, so that no later command takes the reply to this one for its own. */
  #fail(reason = this.#fault): UnavailableError {
    this.close()
    return this.cell.unavailable(reason)
  }
}

const syntaxError: SmtpReply = { code: 501, status: '5.5.2', text: 'The command has a line break' }

/** The path of an address, with the quotes that its local part needs (RFC 5321, section 4.1.2). */
function pathOf(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  return at < 0 || /^(?:[^\s"\\()<>[\]:;@,]*|"(?:[^"\\]|\\.)*")$/.test(local) ? address : `"${local.replace(/["\\]/g, '\\$&')}"${address.slice(at)}`
}

/** Doubles the dots that begin lines (RFC 5321, section 4.5.2). */
function stuffed(bytes: Buffer, isLineStart: boolean): Buffer {
  if (!(isLineStart && bytes[0] === DOT) && !bytes.includes('\n.')) return bytes
  const text = bytes.toString('latin1').replaceAll('\n.', '\n..')
  return Buffer.from(isLineStart && bytes[0] === DOT ? `.${text}` : text, 'latin1')
}
