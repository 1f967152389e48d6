import { expect } from 'chai'
import { findCodes } from '../../../server/mime/extract/codes.ts'
import { scanHtml } from '../../../server/mime/extract/scan-html.ts'
import { CODE_DOCUMENTS } from '../corpus/code-documents.ts'
import { CODE_KINDS } from '../corpus/code-kinds.ts'
import { CODE_MAILS } from '../corpus/code-mails.ts'
import { CODE_PRODUCTS } from '../corpus/code-products.ts'
import { CODE_SENTENCES } from '../corpus/code-sentences.ts'
import { OTHER_PHRASES, PHRASES, PHRASES_OF_CODES, SENDERS, SENTENCES_OF_SENDERS } from '../corpus/code-senders.ts'
import { NUMBER_LABELS } from '../corpus/number-labels.ts'

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

  for (const [codes, subject, body] of [...CODE_PRODUCTS, ...CODE_DOCUMENTS]) {
    it(`are ${codes || 'none'} in "${subject}: ${body.replace(/\s+/g, ' ').slice(0, 80)}"`, () => {
      expect(findCodes(subject, body.startsWith('<') ? scanHtml(body).text : body).join()).to.equal(codes)
    })
  }

  for (const [language, sentence, code] of CODE_SENTENCES) {
    it(`are found in the language ${language}: ${sentence}`, () => {
      expect(findCodes('Acme', sentence)).to.deep.equal([code])
      expect(findCodes('Acme', `Acme\n\n${sentence}\n\nAcme Inc., 2261 Market Street, San Francisco, CA 94114`)).to.deep.equal([code])
      expect(findCodes(sentence, '')).to.deep.equal([code])
    })
  }

  for (const sentence of SENTENCES_OF_SENDERS) {
    it(`are found beside the names of senders: ${sentence.replace(/\s+/g, ' ')}`, () => {
      for (const sender of SENDERS) {
        const text = sentence.replaceAll('*', sender)
        expect(findCodes(sender, text), text).to.deep.equal(['482913'])
        if (!text.includes('\n')) expect(findCodes(text, ''), text).to.deep.equal(['482913'])
      }
    })
  }

  it('are found in phrases', () => {
    for (const text of PHRASES) expect(findCodes('Acme', text), text).to.deep.equal(['482913'])
  })

  for (const [code, phrases] of Object.entries(PHRASES_OF_CODES)) {
    it(`are ${code} in phrases`, () => {
      for (const text of phrases) expect(findCodes('Acme', text), text).to.deep.equal([code])
    })
  }

  it('are not found in other phrases', () => {
    for (const text of OTHER_PHRASES) expect(findCodes('Acme', text), text).to.deep.equal([])
  })

  for (const label of NUMBER_LABELS) {
    it(`are no number after "${label}"`, () => {
      expect(findCodes('Sign in', `${label}: 771204`)).to.deep.equal([])
      expect(findCodes('Sign in', `Your code is on the page.\n\n${label}\n771204\n`)).to.deep.equal([])
      expect(findCodes('Sign in', `Code: 482913\n${label}: 771204`)).to.deep.equal(['482913'])
    })
  }

  it('are the number of a request without another word', () => {
    for (const text of ['Enter this number:', 'Enter the 6-digit number:', '次の番号:', '다음 번호:', 'Ihre Nummer:', 'Introduce el número siguiente:',
      'Введите номер ниже:', '以下の認証番号']) {
      expect(findCodes('Sign in', `${text}\n\n482913`), text).to.deep.equal(['482913'])
    }
  })

  it('are ordered by likelihood', () => {
    const text = 'Your backup code is 11112222 and your verification code: 482913\n\n482913\n'
    expect(findCodes('482913 is your code', text)).to.deep.equal(['482913', '11112222'])
  })

  it('are at most ten', () => {
    const text = Array.from({ length: 50 }, (_, i) => `Backup code: ${100200 + i * 7}`).join('\n')
    expect(findCodes('', text)).to.have.length(10)
  })
})
