import { mkdtemp, rm } from 'node:fs/promises'
import { randomInt, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { newDatabase } from '../support/new-database.ts'
import { openStoredData } from '../support/store/stored-data.ts'
import { startServer } from './server.ts'

const kills = 10
const clients = 8

interface Answer {
  key: string
  path: string
  body: string
  text: string
}

describe('Crash recovery: Idempotency-Key', () => {
  it(`carries out requests once that are repeated until they are answered, over ${kills} kills`, async function () {
    this.timeout(600_000)
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-repeated-'))
    const answers: Answer[] = []
    let replayed = 0
    const database = await newDatabase(join(folder, 'mayfly.db'))
    const start = () => startServer(folder, { MAYFLY_DATABASE: database })
    let server = await start()
    const { key: apiKey } = server
    let isOver = false
    let restarted = Promise.withResolvers<void>()

    async function post({ key, path, body }: Omit<Answer, 'text'>) {
      const response = await fetch(`${server.url}/api/v1${path}`, {
        method: 'POST', body, headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': key },
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`, { cause: 'refused' })
      if (response.headers.get('idempotency-replayed')) replayed++
      return text
    }

    async function untilAnswered(request: Omit<Answer, 'text'>): Promise<string> {
      for (;;) {
        const next = restarted.promise
        try {
          const text = await post(request)
          answers.push({ ...request, text })
          return text
        } catch (error) {
          if ((error as Error).cause === 'refused') throw error
          await next
        }
      }
    }

    async function client() {
      while (!isOver) {
        const { id, address } = JSON.parse(await untilAnswered({ key: randomUUID(), path: '/addresses', body: '{}' })).data
        const body = JSON.stringify({ fromAddressId: id, to: address, subject: 's', body: 'b' })
        await untilAnswered({ key: randomUUID(), path: '/emails', body })
      }
    }

    try {
      const load = Promise.all(Array.from({ length: clients }, client))
      load.catch(() => {})
      for (let i = 0; i < kills; i++) {
        await Promise.race([load, new Promise((resolve) => setTimeout(resolve, randomInt(50, 400)))])
        server.child.kill('SIGKILL')
        await server.exited
        server = await start()
        restarted.resolve()
        restarted = Promise.withResolvers()
      }
      isOver = true
      await load
      const afterKills = replayed
      for (const answer of answers.slice(-200)) expect(await post(answer)).to.equal(answer.text)

      await using stored = await openStoredData(database)
      const of = (path: string) =>
        new Set(answers.filter((answer) => answer.path === path).map(({ text }) => JSON.parse(text).data.id as string))
      console.log(`      ${answers.length} requests, ${afterKills} answered from the row that was stored before a kill`)
      expect(await stored.addressIds()).to.deep.equal(of('/addresses'))
      expect(await stored.sentEmailIds()).to.deep.equal(of('/emails'))
      expect(of('/addresses').size + of('/emails').size).to.equal(answers.length)
    } finally {
      server.child.kill('SIGTERM')
      await server.exited
      await rm(folder, { recursive: true, force: true })
    }
  })
})
