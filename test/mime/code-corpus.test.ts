import { expect } from 'chai'
import { detailsOf } from '../../server/mime/extract/code-details.ts'
import { readMessage } from '../../server/mime/read-message.ts'
import { codeCorpus } from '../corpus/codes/index.ts'
import { judge, shareOf } from '../corpus/codes/judge.ts'

describe('Corpus of codes and links', () => {
  const mails = codeCorpus()
  const results = mails.map((mail) => {
    const { codes, links } = readMessage(mail.raw)
    return { name: mail.name, verdict: judge(mail, { codes, links: links.map(({ url }) => url) }), codes, link: links[0]?.url }
  })
  const withVerdict = (...verdicts: string[]) => results.filter(({ verdict }) => verdicts.includes(verdict.code))
  const describeWrong = (wrong: typeof results) => wrong.map(({ name, codes, link }) => `${name}: ${codes.join(', ')} ${link}`).join('\n')

  it('has at least 600 different mails in 40 languages, a third of them without a code', () => {
    expect(mails.length).to.be.at.least(600)
    expect(new Set(mails.map(({ language }) => language)).size).to.be.at.least(40)
    expect(new Set(mails.map(({ subject, text, html }) => `${subject}${text}${html}`)).size).to.equal(mails.length)
    expect(mails.filter(({ codes }) => codes.length === 0).length).to.be.at.least(mails.length / 3)
  })

  it('has the right first code in at least 99 % of the mails with one', () => {
    const wrong = withVerdict('wrong', 'missed')
    expect(shareOf(withVerdict('exact').length, withVerdict('exact', 'wrong', 'missed').length), describeWrong(wrong)).to.be.at.least(99)
  })

  it('has no code in at least 99.5 % of the mails without one', () => {
    const wrong = withVerdict('false')
    expect(shareOf(withVerdict('none').length, withVerdict('none', 'false').length), describeWrong(wrong)).to.be.at.least(99.5)
  })

  it('has mails whose validity of codes can be read', () => {
    for (const { raw } of mails) {
      const { codes, subject, bodyText } = readMessage(raw)
      expect(detailsOf(codes, subject, bodyText).map(({ code }) => code)).to.deep.equal(codes)
    }
  })

  it('has the right first link in every mail with one', () => {
    const wrong = results.filter(({ verdict }) => verdict.link === 'wrong')
    expect(describeWrong(wrong)).to.equal('')
  })
})
