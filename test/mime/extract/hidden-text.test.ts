import { expect } from 'chai'
import { readMessage } from '../../../server/mime/read-message.ts'
import { scanHtml } from '../../../server/mime/extract/scan-html.ts'
import { shownForms } from './shown-forms.ts'

const read = (type: string, body: string) => readMessage(Buffer.from(`Subject: Sign in\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n${body}`))

describe('Hidden text of HTML', () => {
  for (const isShown of [true, false]) {
    it(`is told apart from text that readers see: ${shownForms.filter((form) => form.isShown === isShown).length} forms that are ${isShown ? 'seen' : 'hidden'}`, () => {
      const wrong = shownForms.filter((form) => form.isShown === isShown && scanHtml(form.html).text.includes('999111') !== isShown)
      expect(wrong.map(({ name }) => name)).to.deep.equal([])
    })
  }
})
