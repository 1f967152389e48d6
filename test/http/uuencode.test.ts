import { expect } from 'chai'
import { shareTestApp } from '../support/app.ts'

/** The output of the program `uuencode`, in lines of 45 bytes; zero is a backtick or, in old versions, a space. */
function uuencode(bytes: Buffer, zero: string): string[] {
  const char = (value: number) => value === 0 ? zero : String.fromCharCode(value + 32)
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += 45) {
    const line = bytes.subarray(at, at + 45)
    let text = char(line.length)
    for (let i = 0; i < line.length; i += 3) {
      const group = (line[i]! << 16) | ((line[i + 1] ?? 0) << 8) | (line[i + 2] ?? 0)
      text += [18, 12, 6, 0].map((shift) => char((group >> shift) & 63)).join('')
    }
    lines.push(text)
  }
  return ['begin 644 data.bin', ...lines, zero, 'end']
}

describe('uuencoded attachment', () => {
  const newAccount = shareTestApp()

  for (const size of [0, 1, 2, 45, 46, 1_000, 300_000]) {
    it(`of ${size} bytes: size and download are those of the decoded file`, async () => {
      const app = await newAccount()
      const address = await app.newAddress()
      const content = Buffer.from(Array.from({ length: size }, (_, i) => (i * i * 7) % 256))
      const parts = [['x-uuencode', '`'], ['UUENCODE', ' '], ['x-uue', '`']].flatMap(([encoding, zero]) => [
        '--b', 'Content-Type: application/octet-stream; name=data.bin', `Content-Transfer-Encoding: ${encoding}`,
        'Content-Disposition: attachment; filename=data.bin', '', ...uuencode(content, zero!), '',
      ])
      const raw = ['From: a@example.org', 'Content-Type: multipart/mixed; boundary=b', '', ...parts, '--b--', ''].join('\r\n')
      await app.send({ raw, envelope: { from: 'a@example.org', to: [address.address] } })
      const { id, attachments } = await app.onlyEmail(address.id)
      expect(attachments.map(({ size }) => size)).to.deep.equal([size, size, size])
      for (const attachment of attachments) {
        const { status, headers, body } = await app.api('GET', `/emails/${id}/attachments/${attachment.id}`)
        expect([status, headers.get('content-length')]).to.deep.equal([200, String(size)])
        expect(Buffer.from(body).equals(content)).to.equal(true)
      }
    })
  }
})
