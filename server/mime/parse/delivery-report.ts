import { cleanText, cutText } from '../clean-text.ts'
import type { ParsedMessage } from '../parsed-message.ts'

/** What became of a mail, as another mail server reports it (RFC 3464). */
export interface DeliveryReport {
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'
  /** A sentence. */
  reason: string
}

const actions = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const
const longestReason = 500

/**
 * Reads the first recipient's part of a delivery report.
 * @returns undefined for any other mail, such as a note that somebody is away
 */
export function readDeliveryReport({ attachments }: ParsedMessage): DeliveryReport | undefined {
  const part = attachments.find(({ contentType }) => /^message\/(global-)?delivery-status$/.test(contentType))
  if (!part) return undefined
  const text = Buffer.from(part.content.buffer, part.content.byteOffset, Math.min(part.content.length, 64 * 1024)).toString('utf8')
  // the first block is about the mail, one more about each recipient
  const fields = fieldsOf(text)
  const action = actions.find((action) => action === fields.get('action')?.toLowerCase())
  if (!action) return undefined
  const said = fields.get('diagnostic-code')?.replace(/^\s*[\w-]+\s*;\s*/, '') ?? ''
  const host = fields.get('remote-mta')?.replace(/^\s*dns\s*;\s*/i, '') ?? fields.get('reporting-mta')?.replace(/^\s*dns\s*;\s*/i, '') ?? ''
  const status = fields.get('status') ?? ''
  const what = said.includes(status) ? said : `${status} ${said}`
  const reason = `Returned as undeliverable${host ? ` by ${host}` : ''}${what.trim() ? `: ${what.trim()}` : '.'}`
  return { action, reason: cutText(cleanText(reason).replace(/[\p{Cc}\s]+/gu, ' ').trim(), longestReason) }
}

/** The first value of each field of all blocks. */
function fieldsOf(text: string) {
  const fields = new Map<string, string>()
  for (const [, name, value] of text.replace(/\r?\n[ \t]+/g, ' ').matchAll(/^([\w-]{1,60}):[ \t]*([^\r\n]{0,2000})/gm)) {
    if (!fields.has(name!.toLowerCase())) fields.set(name!.toLowerCase(), value!.trim())
  }
  return fields
}
