import { findLinks as findLinksOfPage } from '../../../server/mime/extract/links.ts'
import { scanHtml } from '../../../server/mime/extract/scan-html.ts'

/** Finds the links of a mail. @param html '' for a mail without an HTML body */
export const findLinks = (html: string, text: string) => findLinksOfPage(html ? scanHtml(html) : null, text)
