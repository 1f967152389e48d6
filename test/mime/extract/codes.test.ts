import { expect } from 'chai'
import { findCodes } from '../../../server/mime/extract/codes.ts'
import { CODE_MAILS } from '../corpus/code-mails.ts'

describe('One-time codes', () => {
  for (const { language, subject, text, codes } of CODE_MAILS) {
    it(`${codes.length > 0 ? `finds ${codes[0]} in` : 'finds none in'} "${subject}" (${language})`, () => {
      expect(findCodes(subject, text)).to.deep.equal(codes)
    })
  }

  it('are ordered by likelihood', () => {
    const text = 'Your backup code is 11112222 and your verification code: 482913\n\n482913\n'
    expect(findCodes('482913 is your code', text)).to.deep.equal(['482913', '11112222'])
  })

  it('are at most ten', () => {
    const text = Array.from({ length: 50 }, (_, i) => `Backup code: ${100200 + i * 7}`).join('\n')
    expect(findCodes('', text)).to.have.length(10)
  })
})
