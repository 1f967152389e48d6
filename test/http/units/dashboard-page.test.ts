import { expect } from 'chai'
import { parseDocument } from 'htmlparser2'
import { dataElement } from '../../../server/http/pages/dashboard.ts'

describe('The page of the dashboard', () => {
  it('carries data whose texts look like the end of its element', () => {
    const data = { text: '</script><script>alert(1)</script><!--<script>&amp;\u2028\u2029$&' }
    const html = dataElement(data)
    const { children: [element, ...others] } = parseDocument(html)
    expect(others).to.deep.equal([])
    const [content] = (element as unknown as { children: { data: string }[] }).children
    expect(JSON.parse(content!.data)).to.deep.equal(data)
    expect(html.slice(html.indexOf('>') + 1, html.lastIndexOf('<'))).to.not.match(/[<\u2028\u2029]/)
  })
})
