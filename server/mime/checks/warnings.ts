import type { Email, EmailWarning } from '../../contract/types.gen.ts'
import { cutText, hasInvisibleText, hasReorderedText } from '../clean-text.ts'
import { otherHostIn } from './link-text.ts'

type Read = Pick<Email, 'fromName' | 'subject' | 'bodyText' | 'bodyHtml' | 'links' | 'hiddenText'> & { hasOtherCode: boolean }

/** Characters of an HTML body that are read: 1 MB of entities took half a second. */
const maxHtmlChars = 256 * 1024

const textFields = ['fromName', 'subject', 'bodyText', 'bodyHtml'] as const

/**
 * Finds what makes a mail say another thing to a program than to the reader of its page, or lead elsewhere than it says.
 * @param email its stored members; its `hiddenText` stands for styles and attributes alone
 */
export function warningsOf(email: Read): EmailWarning[] {
  const html = withoutEntities(cutText(email.bodyHtml, maxHtmlChars))
  const fieldsWith = (has: (text: string) => boolean): string[] => textFields.filter((name) => has(name === 'bodyHtml' ? html : email[name]))
  const invisible = fieldsWith(hasInvisibleText)
  const reordered = fieldsWith((text) => hasReorderedText(text) || (text === html && reorderingHtml.test(html)))
  return [
    ...email.hasOtherCode ? [ofFields('otherCode', ['bodyText', 'bodyHtml'])] : [],
    ...email.hiddenText ? [ofFields('hiddenText', ['bodyHtml'])] : [],
    ...invisible.length > 0 ? [ofFields('invisibleCharacters', invisible)] : [],
    ...reordered.length > 0 ? [ofFields('reorderedText', reordered)] : [],
    ...email.links.flatMap(({ url, text, host }) => {
      const namedHost = otherHostIn(text, host)
      return namedHost === undefined ? [] : [{ type: 'otherHost' as const, fields: ['links'], url, host, namedHost }]
    }),
  ]
}

const ofFields = (type: EmailWarning['type'], fields: string[]): EmailWarning => ({ type, fields, url: null, host: null, namedHost: null })

/** Replaces entities of characters that matter here, such as those of Unicode tags. */
const withoutEntities = (html: string): string => html.includes('&') ? html.replace(entity, (written, hex: string | undefined, decimal: string | undefined, name: string) => {
  const code = hex !== undefined ? parseInt(hex, 16) : decimal !== undefined ? Number(decimal) : names[name]!
  return code >= firstInvisible && code <= 0x10ffff ? String.fromCodePoint(code) : written
}) : html
const names: Record<string, number> = { zwnj: 0x200c, zwj: 0x200d, lrm: 0x200e, rlm: 0x200f, ZeroWidthSpace: 0x200b, NoBreak: 0x2060 }
const entity = new RegExp(`&(?:#(?:[xX]0{0,4}([\\da-fA-F]{4,5})|0{0,4}(\\d{4,6}))(?![\\da-fA-F])|(${Object.keys(names).join('|')})(?=;));?`, 'g')
const firstInvisible = 0x180e

const reorderingHtml = /<bdo\s[^<>]{0,60}dir|unicode-bidi\s{0,9}:\s{0,9}(?:isolate-|bidi-)override/i
