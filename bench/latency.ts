import { setTimeout as pause } from 'node:timers/promises'
import { Mayfly } from '@mayfly-mail/sdk'
import { figuresOf } from '../test/attack/figures.ts'
import type { BenchServer } from './bench-server.ts'
import { sourceOf } from './mails.ts'
import { openSmtp } from './smtp-client.ts'

/** Measures how soon a mail is shown by a server without other work. */
export async function measureLatency({ newAddress, published, smtpPort }: BenchServer): Promise<void> {
  const { id, address } = await newAddress()
  const client = await openSmtp(smtpPort)
  const times: number[] = []
  for (let i = 1; i <= 300; i++) {
    let sentAt = 0
    await client.send(address, sourceOf('otp'), () => { sentAt = performance.now() })
    await published(id, i, 0)
    times.push(performance.now() - sentAt)
    await pause(10)
  }
  client.close()
  console.log(`\nfrom final dot to visible, idle server, ${times.length} mails: ${describeTimes(times)}`)
}

/** Measures how soon a wait of the SDK ends. */
export async function measureWaiting({ httpPort, smtpPort, key }: BenchServer): Promise<void> {
  const sdk = new Mayfly({ apiKey: key, baseUrl: `http://127.0.0.1:${httpPort}` })
  const inbox = await sdk.addresses.create()
  const client = await openSmtp(smtpPort)
  const [woken, read]: number[][] = [[], []]
  for (let i = 0; i < 200; i++) {
    let returnedAt = 0
    const waiting = sdk.emails.waitFor({ addressId: inbox.id }).finally(() => { returnedAt = performance.now() })
    await pause(20) // until the server has the request
    await client.send(inbox.address, sourceOf('otp'))
    const acceptedAt = performance.now()
    const { id } = await waiting
    woken!.push(returnedAt - acceptedAt)
    const start = performance.now()
    await sdk.emails.get(id)
    read!.push(performance.now() - start)
  }
  client.close()
  console.log(`\nfrom 250 to the end of a waitFor that was there before (less than 0: earlier than the 250), ${woken!.length} mails: ` +
    `${describeTimes(woken!)}; a plain get of the same emails: ${describeTimes(read!)}`)
}

export function describeTimes(times: number[]): string {
  const { p50, p99, max } = figuresOf(times)
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${max.toFixed(1)} ms`
}
