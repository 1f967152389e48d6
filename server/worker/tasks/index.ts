import { expireAddress, purgeAddress, purgeDiscarded } from '../../domain/addresses.ts'
import { discardMessage } from '../../domain/receiving.ts'
import type { Owner } from '../../store/outbox.ts'
import type { Task } from '../task.ts'
import { authenticateMessage } from './authenticate-message.ts'
import { deliverMail } from './deliver-mail.ts'
import { parseMessage } from './parse-message.ts'
import { verifyDomain } from './verify-domain.ts'

const soon = [1, 5, 30, 300]

const expire: Task<{ addressId: string }> = {
  concurrency: 16,
  lease: 60,
  delays: soon,
  run: async (app, { addressId }) => (tx) => expireAddress(app, tx, addressId),
}

const purge: Task<{ addressId: string, owner: Owner }> = {
  concurrency: 1,
  lease: 60,
  delays: soon,
  run: async (_app, { addressId, owner }) => (tx) => purgeAddress(tx, owner, addressId),
}

const purgeMessages: Task<object> = {
  concurrency: 1,
  lease: 60,
  delays: soon,
  run: async () => purgeDiscarded,
}

const discard: Task<{ messageId: string }> = {
  concurrency: 1,
  lease: 60,
  delays: soon,
  run: async (_app, { messageId }) => (tx) => discardMessage(tx, messageId),
}

/** Every kind of work, by the name it has in the queue. */
export const tasks = {
  'parse-message': parseMessage,
  'discard-message': discard,
  'authenticate-message': authenticateMessage,
  'deliver-mail': deliverMail,
  'verify-domain': verifyDomain,
  'expire-address': expire,
  'purge-address': purge,
  'purge-messages': purgeMessages,
} as Record<string, Task<never>>
