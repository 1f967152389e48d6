import type { SMTPServerDataStream } from 'smtp-server'
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js'
import { MailSource } from './mail-source.ts'

/** smtp-server's parser of commands and mails, which writes each mail into a MailSource. */
export class MailParser extends SMTPStream {
  override startDataMode(maxBytes: number) {
    const source = new MailSource(maxBytes) as unknown as SMTPServerDataStream
    this._dataMode = true
    this._maxBytes = maxBytes
    this.dataBytes = 0
    this._atDataStart = true
    this._dataStream = source
    return source
  }
}
