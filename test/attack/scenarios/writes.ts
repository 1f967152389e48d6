import { forever, openCalls } from '../attack.ts'
import { storeSmallMails } from '../../support/store/bulk.ts'
import type { Scenario } from '../scenario.ts'

const maxBodyBytes = 1024 * 1024

/** As many items as fit into a body. */
const filled = (item: (i: number) => string) => {
  const items: string[] = []
  for (let i = 0, bytes = 100; bytes < maxBodyBytes - 100; i++) bytes += items[items.push(item(i)) - 1]!.length + 1
  return items.join()
}

const uuid = (i: number) => `"00000000-0000-7000-8000-${i.toString(16).padStart(12, '0')}"`

export const writes: Scenario[] = [
  {
    name: 'large-arrays',
    says: '95 requests at a time with 1 MiB of events, of addressIds, of small arrays, or of 500,000 nested arrays',
    attack: async (target, note) => {
      const call = openCalls(target, note)
      const start = '{"url":"https://hooks.example/","events":["email.received"],"addressIds":'
      const bodies = [
        `${start.replace('"email.received"],"addressIds":', '')}${filled((i) => `"event${i}"`)}]}`,
        `${start}[${filled(uuid)}]}`,
        `${start}[${filled((i) => `[${i}]`)}]}`,
        `${start}${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
      ].map((body) => Buffer.from(body))
      await forever(note, async (i) => { await call({ method: 'POST', path: '/webhooks', text: bodies[i % bodies.length]! }) })
    },
  },
  {
    name: 'writes',
    says: '95 requests at a time that create, change and delete, most of them with an idempotency key',
    prepare: storeSmallMails,
    attack: async (target, note) => {
      const call = openCalls(target, note)
      const emailIds = target.facts['emailIds']!.split(',')
      const keyed = () => ({ 'idempotency-key': crypto.randomUUID() })
      let turn = 0
      await forever(note, async (i) => {
        if (i % 3 === 0) {
          const path = `/emails/${emailIds[i % emailIds.length]}`
          await call({ method: 'PATCH', path, body: { isRead: ++turn % 2 === 0 }, headers: keyed() })
        } else {
          const made = await call({ method: 'POST', path: '/addresses', body: {}, headers: i % 3 === 1 ? keyed() : {} })
          const { data } = JSON.parse(made) as { data?: { id: string } }
          if (data) await call({ method: 'DELETE', path: `/addresses/${data.id}` })
        }
      })
    },
  },
  {
    name: 'sends',
    says: '95 emails of 500 kB sent at a time, which are captured',
    attack: async (target, note) => {
      const call = openCalls(target, note)
      const bodyHtml = `<p>${'word <b>bold</b> '.repeat(28_000)}</p>`
      const text = JSON.stringify({ fromAddressId: target.busy.addressId, to: 'b@elsewhere.example', subject: 'large', body: 'text', bodyHtml })
      await forever(note, async () => { await call({ method: 'POST', path: '/emails', text }) })
    },
  },
]
