import type { Email } from '@mayfly-mail/sdk'
import { join, line, oneLine, paint, print, say } from '../output.ts'
import type { Text } from '../output.ts'
import type { Client } from './as-client.ts'
import { findActiveAddress } from './find-address.ts'
import type { ClientOptions } from './options.ts'
import { sender } from './show-email.ts'

/** Prints the mail of an address when it arrives, until the signal aborts or the address expires or is deleted. */
export async function watchInbox(client: Client, wanted: string, options: ClientOptions): Promise<void> {
  const { mayfly, signal } = client
  const address = await findActiveAddress(client, wanted)
  client.onConnect(() => say(line`Watching ${address.address} until ${address.expiresAt.toISOString()}, or Ctrl-C.`))
  for await (const event of mayfly.events.subscribe({ events: ['email.received', 'address.expired', 'address.deleted'], signal })) {
    if (event.data.addressId !== address.id) continue
    if (event.type !== 'email.received') {
      return say(line`${address.address} ${event.type === 'address.expired' ? 'has expired' : 'was deleted'}.`)
    }
    const email = await read(client, event.data.emailId)
    if (email) print(options, email, show)
  }
  signal.throwIfAborted()
}

/** @returns undefined when it was deleted meanwhile, or its answer is too long: any sender could end the watch with it */
async function read({ mayfly, signal }: Client, id: string): Promise<Email | undefined> {
  const { NotFoundError, UnexpectedAnswerError } = await import('@mayfly-mail/sdk')
  return mayfly.emails.get(id, { signal }).catch((error: unknown) => {
    if (error instanceof UnexpectedAnswerError) return void say(line`Email ${id} is not shown: ${error.message}`)
    if (error instanceof NotFoundError) return undefined
    throw error
  })
}

/** One line, and on a terminal code and link below it. */
function show(email: Email): Text {
  const head = [email.receivedAt.toISOString(), sender(email), oneLine(email.subject)].join('  ')
  const found = [
    ...email.codes.slice(0, 1).map((code) => line`code ${paint(['bold', 'green'], oneLine(code))}`),
    ...email.links.slice(0, 1).map(({ url }) => line`link ${url}`),
  ]
  return process.stdout.isTTY ? join([head, ...found], '\n    ') : join([head, ...found], '  ')
}
