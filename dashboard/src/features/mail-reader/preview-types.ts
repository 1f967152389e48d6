import type { Email } from '@mayfly-mail/sdk'
import { isRasterType } from './html/image-types.ts'

/** Larger files are not previewed. */
const maxPreviewBytes = 10 * 1024 * 1024

const pdfType = 'application/pdf'

/** Only files that cannot have scripts of this origin: no HTML and no SVG. */
export const canPreview = ({ contentType, size }: Email['attachments'][number]): boolean =>
  size <= maxPreviewBytes && (isRasterType(contentType) || isPdf(contentType) && navigator.pdfViewerEnabled)

export const isPdf = (contentType: string): boolean => contentType.toLowerCase() === pdfType
