import { cleanText, cutText } from '../clean-text.ts'
import { readHeaderBlock } from './header-block.ts'

/** A delivery status notification (RFC 3464, section 2). */
export interface DeliveryReport {
  action: typeof actions[number]
  /** A sentence. */
  reason: string
}

const actions = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const
const maxReportBytes = 64 * 1024
const maxReasonChars = 500

export const isDeliveryReport = (contentType: string): boolean => /^message\/(global-)?delivery-status$/.test(contentType)

/**
 * Reads the first recipient's fields of a delivery report.
 * @param content of the part with the fields
 * @returns null for any other content
 */
export function readDeliveryReport(content: Buffer): DeliveryReport | null {
  // a block of fields for the mail, then one for each recipient: `first` has the first value of each field in all of them
  const { first: fields } = readHeaderBlock(content.subarray(0, maxReportBytes))
  const action = actions.find((action) => action === fields.get('action')?.toLowerCase())
  if (!action) return null
  const status = fields.get('status') ?? ''
  const diagnostic = fields.get('diagnostic-code')?.replace(/^\s*[\w-]+\s*;\s*/, '') ?? '' // without its type: `smtp; 550 No such user`
  const host = (fields.get('remote-mta') ?? fields.get('reporting-mta'))?.replace(/^\s*dns\s*;\s*/i, '')
  const cause = (diagnostic.includes(status) ? diagnostic : `${status} ${diagnostic}`).trim()
  const reason = `Returned as undeliverable${host ? ` by ${host}` : ''}${cause ? `: ${cause}` : '.'}`
  return { action, reason: cutText(cleanText(reason).replace(/[\p{Cc}\s]+/gu, ' ').trim(), maxReasonChars) }
}
