import { expect } from 'chai'
import { otherHostIn } from '../../dashboard/src/features/mail-reader/link-text.ts'

describe('Dashboard: the text of a link that names another host', () => {
  for (const text of [
    'bank.example', 'bank.example.', '(bank.example)', 'https://bank.example/login', 'Sign in at https://bank.example/', 'https://bank.example, log in',
    'bank.example\\login', 'HTTPS://user:pw@Bank.example/x', 'www.bank.example/login', 'bank.example:443',
  ]) {
    it(`is found in ${JSON.stringify(text)}`, () => {
      expect(otherHostIn(text, 'evil.example')?.replace(/^www\./, '')).to.equal('bank.example')
      expect(otherHostIn(text, 'www.bank.example:8443')).to.equal(undefined)
    })
  }

  it('may be an address', () => expect(otherHostIn('https://192.0.2.1/login', 'evil.example')).to.equal('192.0.2.1'))

  for (const text of ['Node.js 26 is out', 'Sign in', 'e.g. this', 'Version 1.2.3', 'Mr.Smith wrote', '']) {
    it(`is not found in ${JSON.stringify(text)}`, () => expect(otherHostIn(text, 'evil.example')).to.equal(undefined))
  }
})
