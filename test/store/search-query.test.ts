import { expect } from 'chai'
import { parseSearch } from '../../server/store/search/search-query.ts'
import type { SearchedText, SearchQuery } from '../../server/store/search/search-query.ts'
import { searchInSteps } from '../../server/store/search/search.ts'

const text = (words: string, more: Partial<SearchedText> = {}): SearchedText =>
  ({ field: 'any', text: words, isPhrase: false, isExcluded: false, ...more })
const ofTexts = (...texts: SearchedText[]): SearchQuery => ({ texts, parts: [] })
const none = ofTexts()
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

describe('The steps of a search', () => {
  const steps = (filter: { comparesAll?: true }) => {
    const [all, each] = [5_000, 25]
    const query = ofTexts(text('order confirmed', { isPhrase: true }))
    return searchInSteps({ owner: { accountId: '', mode: 'live', bound: undefined }, query, filter: { isDeleted: false, limit: 100, offset: 0, ...filter } }, async (before) => {
      const from = Number(before ?? 0)
      return { ids: from >= all - each ? ['oldest'] : [], compared: each, next: from + each < all ? String(from + each) : undefined }
    })
  }

  it('compare a phrase with some mails to show them, and with all to change them', async () => {
    expect(await steps({})).to.deep.equal({ ids: [], total: 0, hasMore: false })
    expect(await steps({ comparesAll: true })).to.deep.equal({ ids: ['oldest'], total: 1, hasMore: false })
  })
})

describe('The query of a search', () => {
  const queries: [string, SearchQuery][] = [
    ['code', ofTexts(text('code'))],
    ['  your \t code ', ofTexts(text('your'), text('code'))],
    ['   ', none],
    ['"your code"', ofTexts(text('your code', { isPhrase: true }))],
    ['"without an end', ofTexts(text('without an end', { isPhrase: true }))],
    ['a"b c"', ofTexts(text('a"b'), text('c"'))],
    ['""', ofTexts(text('', { isPhrase: true }))],
    ['-word', ofTexts(text('word', { isExcluded: true }))],
    ['-"two words"', ofTexts(text('two words', { isPhrase: true, isExcluded: true }))],
    ['-', ofTexts(text('-'))],
    ['- word', ofTexts(text('-'), text('word'))],
    ['no-reply', ofTexts(text('no-reply'))],
    ['--x', ofTexts(text('-x', { isExcluded: true }))],
    ['from:shop', ofTexts(text('shop', { field: 'from' }))],
    ['FROM:Shop@Example.org', ofTexts(text('Shop@Example.org', { field: 'from' }))],
    ['from:"Example Shop"', ofTexts(text('Example Shop', { field: 'from', isPhrase: true }))],
    ['to:billing subject:Receipt', ofTexts(text('billing', { field: 'to' }), text('Receipt', { field: 'subject' }))],
    ['-to:a@b.example', ofTexts(text('a@b.example', { field: 'to', isExcluded: true }))],
    ['subject:a:b', ofTexts(text('a:b', { field: 'subject' }))],
    ['has:code -has:LINK has:attachment', {
      texts: [], parts: [{ part: 'code', isExcluded: false }, { part: 'link', isExcluded: true }, { part: 'attachment', isExcluded: false }],
    }],
    ['is:unread', { ...none, isRead: false }],
    ['-is:unread', { ...none, isRead: true }],
    ['is:read is:starred', { ...none, isRead: true, isStarred: true }],
    ['is:read is:unread', { ...none, isRead: false, isImpossible: true }],
    ['-is:starred', { ...none, isStarred: false }],
    ['before:2026-11-01', { ...none, until: day('2026-11-01') }],
    ['after:2026-10-01 after:2026-10-03 before:2026-11-01 before:2026-10-20', { ...none, from: day('2026-10-03'), until: day('2026-10-20') }],
    ['larger:100', { ...none, largerThan: 100 }],
    ['larger:5b', { ...none, largerThan: 5 }],
    ['larger:100kb', { ...none, largerThan: 102_400 }],
    ['larger:1MB larger:2k', { ...none, largerThan: 1_048_576 }],
    ['https://shop.example/confirm?t=1', ofTexts(text('https://shop.example/confirm?t=1'))],
    ['12:30 localhost:3000 localhost:3000/x', ofTexts(text('12:30'), text('localhost:3000'), text('localhost:3000/x'))],
    ['Re: hello', ofTexts(text('Re:'), text('hello'))],
    ['shop.example:x :482913 "tel:+49"', ofTexts(text('shop.example:x'), text(':482913'), text('tel:+49', { isPhrase: true }))],
    ['C:\\Temp', ofTexts(text('C:\\Temp'))],
    ['constructor', ofTexts(text('constructor'))],
  ]
  for (const [q, query] of queries) it(JSON.stringify(q), () => expect(parseSearch(q)).to.deep.equal(query))

  const refused: [string, string][] = [
    ['form:shop', 'query.q: has an unknown operator, `form:`. The operators are from: to: subject: has: is: before: after: larger:. ' +
      'Write a text with a colon in quotes: "form:shop".'],
    ['-tag:x', 'query.q: has an unknown operator, `tag:`'],
    ['constructor:x', 'query.q: has an unknown operator, `constructor:`'],
    ['has:foo', 'query.q: `has:` takes code, attachment or link.'],
    ['is:', 'query.q: `is:` takes unread, read or starred.'],
    ['from:', 'query.q: `from:` needs a text right after it, such as from:shop.'],
    ['to: billing', 'query.q: `to:` needs a text right after it, such as to:shop.'],
    ['subject:""', 'query.q: `subject:` needs a text right after it'],
    ['before:yesterday', 'query.q: `before:` takes a day, such as before:2026-11-01.'],
    ['after:2026-02-30', 'query.q: `after:` takes a day'],
    ['-before:2026-11-01', 'query.q: `-before:` is not possible.'],
    ['larger:big', 'query.q: `larger:` takes a size, such as larger:100kb or larger:1mb.'],
    ['larger:1gb', 'query.q: `larger:` takes a size'],
    ['-larger:1mb', 'query.q: `-larger:` is not possible.'],
    ['-a -b -c -has:code -"d e" -from:f', 'query.q: can exclude 5 conditions at most.'],
  ]
  for (const [q, message] of refused) {
    it(`refuses ${JSON.stringify(q)}`, () => {
      expect(() => parseSearch(q)).to.throw(message).and.to.deep.include({ code: 'INVALID_REQUEST' })
    })
  }
})
