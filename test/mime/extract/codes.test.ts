import { expect } from 'chai'
import { findCodes } from '../../../server/mime/extract/codes.ts'
import { CODE_KINDS } from '../corpus/code-kinds.ts'
import { CODE_MAILS } from '../corpus/code-mails.ts'
import { CODE_SENTENCES } from '../corpus/code-sentences.ts'

describe('One-time codes', () => {
  for (const { language, subject, text, codes } of CODE_MAILS) {
    it(`${codes.length > 0 ? `finds ${codes[0]} in` : 'finds none in'} "${subject}" (${language})`, () => {
      expect(findCodes(subject, text)).to.deep.equal(codes)
    })
  }

  for (const { subject, text, codes } of CODE_KINDS) {
    it(`are ${codes.join(' and ') || 'none'} in "${subject}: ${text.replace(/\s+/g, ' ').slice(0, 80)}"`, () => {
      expect(findCodes(subject, text)).to.deep.equal(codes)
    })
  }

  for (const [language, sentence, code] of CODE_SENTENCES) {
    it(`are found in the language ${language}: ${sentence}`, () => {
      expect(findCodes('Acme', sentence)).to.deep.equal([code])
      expect(findCodes('Acme', `Acme\n\n${sentence}\n\nAcme Inc., 2261 Market Street, San Francisco, CA 94114`)).to.deep.equal([code])
      expect(findCodes(sentence, '')).to.deep.equal([code])
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
