/**
 * Brings a domain of yours: shows the DNS records to set, waits for them, and receives a mail there.
 * Run it: MAYFLY_API_KEY=svc_… npm run node -- examples/custom-domain.ts qa.example.com
 */
import { setTimeout } from 'node:timers/promises'
import { Mayfly } from '@mayfly-mail/sdk'
import type { DnsRecords } from '@mayfly-mail/sdk'
import './as-program.ts'

const domain = process.argv[2]?.toLowerCase()
if (!domain) throw new Error('Which domain? Give one whose DNS records you can set.')
const mayfly = new Mayfly() // with MAYFLY_API_KEY and MAYFLY_BASE_URL

const known = (await mayfly.domains.list()).find((one) => one.domain === domain)
const { id } = known ?? await mayfly.domains.create({ domain })
await verified(id)

await using inbox = await mayfly.inboxes.create({ domain, expiresIn: 3600 })
console.log(`Send a mail to ${inbox.address}`)
const { from, subject } = await inbox.waitFor({ timeoutMs: 3600_000 })
console.log('It came:', { from, subject })

function printTable({ mx, txt }: DnsRecords) {
  console.log('Set these two records where the domain has its DNS:\n')
  const rows = [
    ['TYPE', 'NAME', 'PRIORITY', 'VALUE'],
    [mx.type, mx.host, String(mx.priority), mx.value],
    [txt.type, txt.host, '', txt.value],
  ]
  const widths = [4, mx.host.length, 8, 0]
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '))
  console.log()
}

/** Resolves once the DNS has both records; prints which record is missing. */
async function verified(id: string) {
  let lastMessage: string | undefined
  for (let pause = 500; ; pause = Math.min(pause * 1.5, 30_000)) {
    const { status, message, dnsRecords } = await mayfly.domains.verify(id)
    if (status !== 'verified' && lastMessage === undefined) printTable(dnsRecords)
    if (message !== lastMessage) console.log(message)
    if (status === 'verified') return
    lastMessage = message
    await setTimeout(pause)
  }
}
