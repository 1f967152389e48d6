import { cleanText, cutText } from '../clean-text.ts'
import type { ParsedMessage } from '../parsed-message.ts'
import { readHeaderBlock } from './header-block.ts'

/** A delivery status notification (RFC 3464). */
export interface DeliveryReport {
  action: typeof actions[number]
  /** A sentence. */
  reason: string
}

const actions = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const
const maxReportBytes = 64 * 1024
const maxReasonChars = 500

/**
 * Reads the first recipient's fields of a delivery report.
 * @returns undefined for any other mail, such as an automatic reply
 */
export function readDeliveryReport({ attachments }: ParsedMessage): DeliveryReport | undefined {
  const report = attachments.find(({ contentType }) => /^message\/(global-)?delivery-status$/.test(contentType))
  if (!report) return undefined
  const { buffer, byteOffset, length } = report.content
  // a block of fields for the mail, then one for each recipient: `first` has the first value of each field in all of them
  const { first: fields } = readHeaderBlock(Buffer.from(buffer, byteOffset, Math.min(length, maxReportBytes)))
  const action = actions.find((action) => action === fields.get('action')?.toLowerCase())
  if (!action) return undefined
  const status = fields.get('status') ?? ''
  const diagnostic = fields.get('diagnostic-code')?.replace(/^\s*[\w-]+\s*;\s*/, '') ?? '' // without its type: `smtp; 550 No such user`
  const host = (fields.get('remote-mta') ?? fields.get('reporting-mta'))?.replace(/^\s*dns\s*;\s*/i, '')
  const cause = (diagnostic.includes(status) ? diagnostic : `${status} ${diagnostic}`).trim()
  const reason = `Returned as undeliverable${host ? ` by ${host}` : ''}${cause ? `: ${cause}` : '.'}`
  return { action, reason: cutText(cleanText(reason).replace(/[\p{Cc}\s]+/gu, ' ').trim(), maxReasonChars) }
}
