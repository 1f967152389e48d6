import { openMtaSts } from '../../server/outbound/mta-sts.ts'
import { sendMail } from '../../server/outbound/send-mail.ts'
import type { MailTarget, SendOptions } from '../../server/outbound/send-mail.ts'
import type { OutgoingMail, SendOutcome } from '../../server/outbound/session.ts'
import { useResolver } from './resolver.ts'
import type { ResolverWorld } from './resolver.ts'
import { openScriptedServer } from './scripted-server.ts'
import type { Script } from './scripted-server.ts'

export const text = 'Subject: hello\r\n\r\n.dots\r\n..\r\n.\r\nend\r\n'
export const options: SendOptions = { name: 'mayfly.example' }
export const here = '127.0.0.1'

export const outgoing = (source: string | Buffer = text, changes: Partial<OutgoingMail> = {}): OutgoingMail => {
  const bytes = Buffer.from(source)
  return {
    sender: 'shop@example.net',
    recipient: 'ann@example.org',
    sizeBytes: bytes.length,
    async* source() {
      for (let i = 0; i < bytes.length; i += 16_384) yield bytes.subarray(i, i + 16_384)
    },
    ...changes,
  }
}

/** More bytes than the buffers of a socket hold. */
export const endless = outgoing(Buffer.alloc(24 * 1024 * 1024, 'line\r\n'))

export interface SendWorld {
  world: ResolverWorld
  /** Delivers to the MX of example.org, which is on this machine, at a port. */
  direct(port: number): MailTarget & { kind: 'direct' }
  /** Sends a mail to a server that follows a script. */
  sendTo(script: Script, mail?: OutgoingMail, timeouts?: SendOptions['timeouts']): Promise<{ outcome: SendOutcome, lines: string[], connections: number }>
}

/** A DNS in which example.org has one MX. */
export function useSendWorld(): SendWorld {
  const world = useResolver()
  beforeEach(() => {
    world.dns.zone['example.org'] = { MX: [{ exchange: 'mx.example.org', priority: 1 }] }
    world.dns.zone['mx.example.org'] = { A: [here] }
  })
  const direct = (port: number): MailTarget & { kind: 'direct' } => ({
    kind: 'direct', resolver: world.resolver, mtaStsPolicies: openMtaSts({ resolver: world.resolver, allowPrivate: true }),
    domain: 'example.org', port, allowPrivate: true,
  })
  return {
    world, direct,
    async sendTo(script, mail = outgoing(), timeouts = {}) {
      await using server = await openScriptedServer(script)
      const outcome = await sendMail(direct(server.port), mail, { ...options, timeouts: { quitMs: 50, ...timeouts } })
      return { outcome, lines: server.lines, connections: server.connections }
    },
  }
}

/** Waits until the server has seen the end of all connections. A connection that stays open makes the test time out. */
export async function nothingOpen(server: { readonly open: number }) {
  while (server.open > 0) await new Promise(setImmediate)
}
