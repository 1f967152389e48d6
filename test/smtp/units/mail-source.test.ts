import { expect } from 'chai'
import { MailSource } from '../../../server/smtp/mail-source.ts'

describe('SMTP mail source', () => {
  it('slows the client down while it is not read', async () => {
    const source = new MailSource(1e9)
    let written = 0
    const write = () => {
      if (written === 100) return source.end()
      written++
      source.write(Buffer.alloc(65_536, 'x'))
      source.whenRead(write)
    }
    write()
    expect(written).to.equal(4)
    expect(await lengthOf(source)).to.equal(100 * 65_536)
  })

  it('joins short pieces', async () => {
    const source = new MailSource(1e9)
    for (let i = 0; i < 1000; i++) source.write(Buffer.from('x'))
    source.end()
    const lengths: number[] = []
    for await (const chunk of source) lengths.push(chunk.length)
    expect(lengths).to.deep.equal([...Array(15).fill(64), 40])
  })

  it('fails as soon as the client disconnects, read or not', async () => {
    for (const read of [true, false]) {
      const source = new MailSource(1e9)
      source.write(Buffer.from('half'))
      const reading = read ? lengthOf(source).catch((error: Error) => error.message) : undefined
      await Promise.resolve()
      source.destroy()
      expect(await (reading ?? lengthOf(source).catch((error: Error) => error.message))).to.equal('the connection was closed')
      expect(source.isLost).to.equal(true)
    }
  })

  it('keeps no bytes beyond the maximum size', async () => {
    const source = new MailSource(10)
    for (let i = 0; i < 3; i++) source.write(Buffer.alloc(5, 'x'))
    let isWaiting = true
    source.whenRead(() => { isWaiting = false })
    expect(isWaiting).to.equal(false)
    const error = await lengthOf(source).catch((error: Error) => error)
    expect(error).to.have.property('code', 'PAYLOAD_TOO_LARGE')
    expect(source.isOpen).to.equal(true)
    source.end()
    expect(source.isOpen).to.equal(false)
  })

  it('lets a waiting client continue when the reader stops', () => {
    const source = new MailSource(1e9)
    source.write(Buffer.alloc(300_000, 'x'))
    let isWaiting = true
    source.whenRead(() => { isWaiting = false })
    expect(isWaiting).to.equal(true)
    source.drop()
    expect(isWaiting).to.equal(false)
  })
})

async function lengthOf(source: MailSource) {
  let length = 0
  for await (const chunk of source) length += chunk.length
  return length
}
