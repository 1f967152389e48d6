import { expect } from 'chai'
import { findCodes } from '../../../server/mime/extract/codes.ts'

/** The codes of a mail, joined by commas. */
export type Row = [codes: string, subject: string, text: string]

export const code = '604815'
export const found = (texts: string[], subject = 'Acme'): Row[] => texts.map((text) => [code, subject, text])
export const none = (texts: string[], subject = 'Acme'): Row[] => texts.map((text) => ['', subject, text])

/** Tests rows of mails by their kind. */
export function testKinds(title: string, kinds: Record<string, Row[]>): void {
  describe(title, () => {
    for (const [kind, rows] of Object.entries(kinds)) {
      it(kind, () => {
        for (const [codes, subject, text] of rows) expect(findCodes(subject, text).join(), text).to.equal(codes)
      })
    }
  })
}
