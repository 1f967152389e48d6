import { expect } from 'chai'
import { findCodes } from '../../../server/mime/extract/codes.ts'
import { scanHtml } from '../../../server/mime/extract/scan-html.ts'

const each = (open: string, close: string, code = '482913', between = ''): string => [...code].map((char) => open + char + close).join(between)
const row = (...cells: string[]): string => `<table role="presentation"><tr>${cells.join('')}</tr></table>`

const codes: [name: string, html: string, code?: string][] = [
  ['inline blocks', each('<div style="display:inline-block;width:40px">', '</div>')],
  ['a flex container', `<div style="display:flex;gap:8px">\n${each('  <div>\n', '\n  </div>\n')}</div>`],
  ['cells', row(each('<td style="border:1px solid">', '</td>'))],
  ['tables in cells', row(each('<td><table><tr><td align="center">', '</td></tr></table></td>'))],
  ['paragraphs in cells', row(each('<td><p>', '</p></td>'))],
  ['cells with spacing cells', row(each('<td>\n<font size="6">', '</font>\n</td>\n<td width="8">&nbsp;</td>\n'))],
  ['floating tables', each('<table align="left"><tr><td>', '</td></tr></table>')],
  ['spans', each('<span style="margin:4px">', '</span>')],
  ['spans with spaces', each('<span style="margin:4px">', '</span> ')],
  ['list items', `<ul>${each('<li>', '</li>')}</ul>`],
  ['headings', each('<h1>', '</h1>')],
  ['buttons', each('<button>', '</button>')],
  ['blocks with joiners', each('<div>', '&zwnj;</div>')],
  ['columns for Outlook', each('<!--[if mso]><td><![endif]--><div style="float:left">', '</div><!--[if mso]></td><![endif]-->')],
  ['two halves with a hyphen', row(each('<td><div>', '</div></td>', '482'), '<td><div>-</div></td>', each('<td><div>', '</div></td>', '913'))],
  ['two halves with a dash in a cell', row(each('<td>', '</td>', '482'), '<td>&ndash;</td>', each('<td>', '</td>', '913'))],
  ['two blocks of three digits', '<div>482</div><div>913</div>'],
  ['four blocks', each('<div>', '</div>', '4829'), '4829'],
  ['eight blocks', each('<div>', '</div>', '48291377'), '48291377'],
  ['ten blocks', each('<div>', '</div>', '4829137702'), '4829137702'],
  ['blocks of letters and digits', each('<div>', '</div>', 'A4F2B9'), 'A4F2B9'],
  ['cells of letters and digits', row(each('<td>', '</td>', '7KQ2M9')), '7KQ2M9'],
  ['blocks of letters', each('<div>', '</div>', 'BCDFGH'), 'BCDFGH'],
  ['a field', '<input readonly value="482913">'],
  ['a field for numbers', '<input type="number" value=482913 />'],
  ['fields of one digit', each('<input maxlength="1" value="', '">')],
  ['a text area', '<textarea readonly>482913</textarea>'],
]

const linesBelow = ['O código é válido', 'A kód 10 percig érvényes.', 'A code is valid for 10 minutes.', '5 minutes left', 'X | Facebook', 'Y no lo compartas']

const surroundings: [name: string, before: string, after: string][] = [
  ['below a label', '<p>Your code is</p>', ''],
  ['beside a label', 'Your verification code: ', '<br>Valid for 5 minutes.'],
  ['above a label', '', '<p>is your verification code.</p>'],
  ['in a whole mail', '<h2>Verify your email</h2><p>Enter this code in the app:</p>',
    '<p>It expires in 10 minutes.</p><p>Acme Inc., 2261 Market Street, San Francisco, CA 94114</p>'],
]

describe('One-time codes of HTML', () => {
  for (const [name, html, code = '482913'] of codes) {
    for (const [place, before, after] of surroundings) {
      it(`are found in ${name}, ${place}`, () => {
        expect(findCodes('Acme', scanHtml(before + html + after).text)).to.deep.equal([code])
      })
    }
  }

  for (const line of linesBelow) {
    it(`are found above "${line}"`, () => {
      for (const html of [each('<div>', '</div>'), row(each('<td>', '</td>')), '<p>4 8 2 9 1 3</p>']) {
        expect(findCodes('Acme', scanHtml(`<p>Your code</p>${html}<p>${line}</p>`).text)).to.deep.equal(['482913'])
        expect(findCodes('Acme', scanHtml(`<p>Option A</p>${html}<p>is your code</p>`).text)).to.deep.equal(['482913'])
        expect(findCodes('Acme', scanHtml(`<p>Your code</p>${html}${row('<td>1</td><td>Open the app</td>')}`).text)).to.deep.equal(['482913'])
      }
    })
  }

  const table = (...rows: string[][]): string => `<table>${rows.map((cells, i) => `<tr>${cells.map((cell) =>
    i === 0 ? `<th>${cell}</th>` : `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`
  for (const [rows, code] of [
    [[['Code', 'Expires'], ['482913', '10 minutes']], '482913'],
    [[['Device', 'Code', 'Time'], ['iPhone 15', '482913', '10:45']], '482913'],
    [[['Account', 'Code', 'Valid until'], ['55120981', '4829', '2026-01-02 10:45']], '4829'],
    [[['Code', '482913'], ['Order', '771204']], '482913'],
    [[['Item', 'Product code', 'Quantity'], ['Shirt', '482913', '12']], ''],
    [[['Order', 'Postal code'], ['482913', '94114']], ''],
  ] as const) {
    it(`are those of the column for codes: ${rows.map((row) => row.join(' ')).join(', ')}`, () => {
      expect(findCodes('Acme', scanHtml(table(...rows.map((row) => [...row]))).text).join()).to.equal(code)
    })
  }

  it('have no digits of a footnote', () => {
    for (const mark of ['<sup>1</sup>', '<sup><a href="#n">12</a></sup>', '<sup>*</sup>']) {
      expect(findCodes('Acme', scanHtml(`<p>Your code is 820047${mark}.</p>`).text)).to.deep.equal(['820047'])
      expect(findCodes('Acme', scanHtml(`<p>Your code is 8200${mark}.</p>`).text)).to.deep.equal(['8200'])
    }
  })

  for (const [name, html] of [
    ['a hidden field', '<input type="hidden" value="482913">'],
    ['fields for choices', each('<input type="radio" value="', '">')],
    ['a calendar', row(Array.from({ length: 28 }, (_, i) => `<td>${i + 1}</td>`).join(''))],
  ] as const) {
    it(`are not found in ${name}`, () => {
      expect(findCodes('Acme', scanHtml(`<p>Your code:</p>${html}`).text)).to.deep.equal([])
    })
  }
})
