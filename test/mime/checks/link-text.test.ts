import { expect } from 'chai'
import { otherHostIn } from '../../../server/mime/checks/link-text.ts'
import { processorMs } from '../../support/processor-time.ts'

describe('Link text: the text of a link that names another host', () => {
  for (const text of [
    'bank.example', 'bank.example.', '(bank.example)', 'https://bank.example/login', 'Sign in at https://bank.example/', 'https://bank.example, log in',
    'bank.example\\login', 'HTTPS://user:pw@Bank.example/x', 'www.bank.example/login', 'bank.example:443',
    '\u201cbank.example\u201d', '\u201ebank.example\u201c', '\u00abbank.example\u00bb', '\u2192 bank.example'.replace(' ', ''), 'bank.example\u203alogin', 'bank.example\u2026',
    'https://bank\u3002example/', 'bank\uff0eexample', '\uff42\uff41\uff4e\uff4b\uff61example', '//bank.example/x', 'See //bank.example/x', 'https:/bank.example', 'https:\\\\bank.example',
    'https://bank.example@evil.example/', 'https://bank.example\\@evil.example', 'https://bank.example?@evil.example', 'https://bank\u2024example/',
  ]) {
    it(`is found in ${JSON.stringify(text)}`, () => {
      expect(otherHostIn(text, 'evil.example')?.replace(/^www\./, '')).to.equal('bank.example')
      expect(otherHostIn(text, 'www.bank.example:8443')).to.equal(undefined)
    })
  }

  for (const [text, named] of [
    ['PayPal.com login', 'paypal.com'], ['mail bank.co.uk', 'bank.co.uk'], ['Log in to (bank.com) now', 'bank.com'], ['Your \u201cBANK.COM\u201d account', 'bank.com'],
    ['Konto bei bank.de, jetzt', 'bank.de'], ['good.com and bank.com/x', 'bank.com'], ['www.bank.com: log in', 'www.bank.com'],
  ] as const) {
    it(`is found among the words of ${JSON.stringify(text)}`, () => {
      expect(otherHostIn(text, 'login.good.com')).to.equal(named)
      expect(otherHostIn(text, named)).to.equal(text.startsWith('good') ? 'good.com' : undefined)
    })
  }

  it('may be a domain of the host, among words', () => {
    expect(otherHostIn('Go to Bank.com', 'secure.bank.com')).to.equal(undefined)
    expect(otherHostIn('Go to Bank.com', 'evil-bank.com')).to.equal('bank.com')
  })

  it('takes linear time', () => {
    for (const text of ['a.', 'a-', 'a.com.', '//', 'https:', '.a@', 'aa ']) {
      expect(processorMs(() => otherHostIn(text.repeat(20_000), 'evil.example')), text).to.be.below(2_000)
    }
  })

  it('may be an address', () => expect(otherHostIn('https://192.0.2.1/login', 'evil.example')).to.equal('192.0.2.1'))

  for (const text of ['Node.js 26 is out', 'Sign in', 'e.g. this', 'Version 1.2.3', 'Mr.Smith wrote', 'Read ASP.NET Core now', 'Thanks.It works', 'See README.md and main.rs', 'Write to ada@bank.com today',
    'ada.com@bank.test wrote', 'in docs/bank.com or x', 'Until 3 p.m. or 5 a.m. today', '\u60a8\u597d\u3002\u8bf7\u767b\u5f55', 'OK\u3002 Sign in', 'Use U.S. mail', '']) {
    it(`is not found in ${JSON.stringify(text)}`, () => expect(otherHostIn(text, 'evil.example')).to.equal(undefined))
  }
})
