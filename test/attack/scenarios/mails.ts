import { hostileMails } from '../../support/hostile-mails.ts'
import { attackWithMail, forever } from '../attack.ts'
import type { Scenario } from '../scenario.ts'

/** The default limit of the size of a mail. */
const largestBytes = 25 * 1024 * 1024
/** Size of mails that are parsed before they are answered. */
const shortBytes = 250_000
const parserConnections = 40

export const mails: Scenario[] = [
  {
    name: 'big-mails',
    says: '95 mails of 25 MB at a time from one sender',
    async attack(target, note) {
      const line = `${'text '.repeat(15)}\r\n`
      const source = Buffer.from(`From: a@attack.example\r\nSubject: large\r\n\r\n${line.repeat((largestBytes - 1_000) / line.length)}`)
      await forever(note, () => attackWithMail(target, note, source))
    },
  },
  {
    name: 'parser',
    says: '40 mails of 250 kB at a time that take a parser long',
    async attack(target, note) {
      const sources = hostileMails().map(({ source }) => Buffer.from(`${source.slice(0, shortBytes)}\r\n`))
      let next = 0
      await forever(note, () => attackWithMail(target, note, sources[next++ % sources.length]!), parserConnections)
    },
  },
  {
    name: 'signatures',
    says: '40 mails of 250 kB at a time with ten DKIM signatures, each of another hash of the body',
    attack: (target, note) => forever(note, () => attackWithMail(target, note, signed), parserConnections),
  },
]

/** Signatures that differ in the bytes of the body that they cover, so that each needs a hash of its own. */
const signed = Buffer.from([
  'From: attacker@shop.example', 'Subject: signed',
  ...Array.from({ length: 10 }, (_, i) =>
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=shop.example; s=k${i}; h=from; l=${200_000 + i}; bh=${'A'.repeat(43)}=; b=${'A'.repeat(172)}`),
  '', ...Array.from({ length: 20_000 }, () => 'some \t text '), '',
].join('\r\n'))
