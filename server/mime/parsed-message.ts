import type { CodeDetail } from '../contract/types.gen.ts'
import type { DeliveryReport } from './parse/delivery-report.ts'
import type { HtmlRange, PartRange } from './parse/html-range.ts'

/** An attachment. Its content stays in the source of the mail. */
export interface ParsedAttachment {
  /** Made by `safeFilename`, or a default name; never empty. */
  filename: string
  /** `type/subtype` in lower case, without parameters. */
  contentType: string
  /** Of the decoded content, in bytes. */
  size: number
  /** Without the angle brackets. */
  contentId: string | null
  isInline: boolean
  range: PartRange
}

export interface ParsedLink { url: string, text: string }

/** The header of a mail. */
export interface ParsedHeader {
  /** Address of the sender, '' when it is missing or malformed. */
  from: string
  fromName: string
  subject: string
  /** Name, as in its first field, → unfolded value, with encoded words as they are; values of repeated fields are joined by "\n". */
  headers: Record<string, string>
  /** Why only a part of the mail could be read, as a short sentence; else null. */
  problem: string | null
}

/** A mail that was read, within `mimeLimits`. No string has NULs or lone surrogates. */
export interface ParsedMessage extends ParsedHeader {
  /** The text body; made from the HTML body when there is none. */
  bodyText: string
  bodyHtml: string
  /** Where the HTML body can be read again; null where that is not possible, or takes long. */
  htmlRange: HtmlRange | null
  attachments: ParsedAttachment[]
  /** Null for any other mail. */
  deliveryReport: DeliveryReport | null
  /** One-time codes, best first. */
  codes: string[]
  /** Of each of `codes`. */
  codeDetails: CodeDetail[]
  /** Whether the HTML shows another code than the text, to which `codes` belong. */
  hasOtherCode: boolean
  /** http(s) only: the likely call to action, then the others in the order of the mail. */
  links: ParsedLink[]
  /** Whether styles or attributes of the HTML hide text. */
  hiddenText: boolean
}

/** A mail of which nothing could be read. */
export function emptyMessage(problem: string): ParsedMessage {
  return {
    from: '', fromName: '', subject: '', bodyText: '', bodyHtml: '', htmlRange: null,
    headers: {}, attachments: [], deliveryReport: null, codes: [], codeDetails: [], hasOtherCode: false, links: [], hiddenText: false,
    problem,
  }
}
