import { expect } from 'chai'
import { createTransport } from 'nodemailer'
import { moveTo } from '../support/account-move.ts'
import { callAt, openCells } from '../support/cells.ts'
import type { TestCell } from '../support/cells.ts'
import { createAccount } from '../support/store/accounts.ts'

describe('Cells: an account that moves', () => {
  it('works at a node of a third cell: no mail is lost or doubled, and key and cursor go on', async () => {
    await using world = await openCells(3)
    const [a, b, c] = world.cells as [TestCell, TestCell, TestCell]
    const { id } = await createAccount(a, 'mover@example.org')
    const key = await a.newKey({ account: id })
    const { body: { data: { address } } } = await callAt(c, key, 'POST', '/addresses', {})
    expect(address).to.match(/@a\.mail\.example$/)

    let isMoved = false
    const accepted: string[] = []
    const send = async (name: string) => {
      const transport = createTransport({ host: '127.0.0.1', port: c.app.smtp.port, pool: true, tls: { rejectUnauthorized: false } })
      for (let i = 0, after = 0; after < 5; i++) {
        if (isMoved) after++
        const subject = `${name} ${i}`
        for (let reply = 0; reply !== 250;) {
          reply = await transport.sendMail({ from: 'shop@example.org', to: address, subject, text: 'Your code is 482913.' })
            .then(() => 250, ({ responseCode }: { responseCode?: number }) => responseCode ?? 0)
          expect(reply, subject).to.be.oneOf([250, 451])
        }
        accepted.push(subject)
      }
      transport.close()
    }
    let isOver = false
    const followed: string[] = []
    const follow = async () => {
      for (let cursor = 'c1-0', isLast = false; !isLast;) {
        isLast = isOver
        const { status, body } = await callAt(c, key, 'GET', `/emails?after=${cursor}&limit=100`)
        expect(status).to.be.oneOf([200, 503])
        if (status !== 200) continue
        followed.push(...body.data.map(({ subject }: { subject: string }) => subject))
        cursor = body.cursor
      }
    }
    const sending = Promise.all(['one', 'two', 'three'].map(send))
    const following = follow()
    while (accepted.length < 40) await Promise.race([sending, following, new Promise(setImmediate)])
    await Promise.all([moveTo(a, b, id).finally(() => { isMoved = true }), sending])
    for (const cell of world.cells) await cell.settled()
    isOver = true
    await following

    expect(followed.toSorted()).to.deep.equal(accepted.toSorted())
    for (const cell of world.cells) {
      for (let status = 503; status !== 200;) {
        const answer = await callAt(cell, key, 'GET', '/emails?limit=1')
        status = answer.status
        expect(status).to.be.oneOf([200, 503])
        if (status === 200) expect(answer.body.total).to.equal(accepted.length)
      }
    }
    expect((await b.api('GET', '/emails', { key })).body.total).to.equal(accepted.length)
  })
})
