import type { Email } from '@mayfly-mail/sdk'
import { isRasterType } from './html/image-types.ts'

/** Larger files are not previewed. */
const maxPreviewBytes = 10 * 1024 * 1024

/** Files that are shown as text, by their declared type or the end of their name. */
const textKinds = {
  csv: /^text\/(?:csv|tab-separated-values)$|\.(?:csv|tsv)$/i,
  calendar: /^text\/calendar$|^application\/ics$|\.ics$/i,
  json: /^application\/(?:[\w.-]+\+)?json$|\.json$/i,
  text: /^text\/(?:plain|markdown|x-log)$|\.(?:txt|log|md)$/i,
} as const

export type TextKind = keyof typeof textKinds

export function textKindOf({ contentType, filename }: Pick<Email['attachments'][number], 'contentType' | 'filename'>): TextKind | undefined {
  if (/^(?:text\/html|image\/svg)/i.test(contentType)) return undefined
  return (Object.keys(textKinds) as TextKind[]).find((kind) => textKinds[kind].test(contentType))
    ?? (Object.keys(textKinds) as TextKind[]).find((kind) => textKinds[kind].test(filename))
}

const pdfType = 'application/pdf'

/** Only files that cannot have scripts of this origin: no HTML and no SVG. */
export const canPreview = (attachment: Email['attachments'][number]): boolean => {
  const { contentType, size } = attachment
  if (size > maxPreviewBytes) return false
  return isRasterType(contentType) || isPdf(contentType) && navigator.pdfViewerEnabled || textKindOf(attachment) !== undefined
}

export const isPdf = (contentType: string): boolean => contentType.toLowerCase() === pdfType
