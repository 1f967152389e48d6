import { readFileSync } from 'node:fs'
import { expect } from 'chai'

const namesIn = (file: string) => /^const privateName = .*$/m.exec(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))?.[0]

describe('Names that the public DNS does not have', () => {
  it('are the same for webhooks and for the images of mail', () => {
    expect(namesIn('server/outbound/webhook-target.ts')).to.be.a('string')
      .that.equals(namesIn('dashboard/src/features/mail-reader/html/urls.ts'))
  })
})
