import type { App } from '../context.ts'
import type { SmtpReply } from '../errors.ts'
import { insertRefusedTry, maxKeptTries } from '../store/addresses/smtp-activity.ts'
import type { RefusedTry, TriedAddress } from '../store/addresses/smtp-activity.ts'
import { inTransaction } from '../store/database.ts'
import { burstRate } from '../turns/usage-rate.ts'

/** Tries a second of a network, and at an address, that are recorded; after a pause, as many at once as an address keeps. */
const triesPerSecond = 10

/** A reply as the activity has it. @param reply null for a connection that a fault drops */
export const shownReply = (reply: SmtpReply | null): Pick<RefusedTry, 'code' | 'enhancedCode' | 'text'> => reply
  ? { code: reply.code, enhancedCode: reply.status, text: reply.text }
  : { code: null, enhancedCode: null, text: 'The connection was dropped on purpose' }

/**
 * Records a refused try at its addresses, unless the space is low: mail is refused then, and this would fill the rest. It never rejects: a
 * record that fails is logged, and the refusal stays the answer.
 */
export async function recordRefusedTry(
  { db, config, freeBytes, log }: Pick<App, 'db' | 'config' | 'freeBytes' | 'log'>, refused: RefusedTry, addresses: TriedAddress[],
): Promise<void> {
  if (await freeBytes().catch(() => 0) < config.minFreeBytes) return // a failed read refuses mail too, and is logged there
  try {
    await inTransaction(db, async (tx) => {
      for (const address of addresses) await insertRefusedTry(tx, address, refused)
    })
  } catch (error) {
    log.error({ err: error }, 'a refused try could not be recorded')
  }
}

/**
 * Returns a function that records a refused try at its addresses, within the rates: a client may be refused thousands of times a second.
 * Accepted mail is not recorded, since its email has all of it.
 */
export function limitedTries(app: App): (network: string, refused: RefusedTry, addresses: TriedAddress[]) => Promise<void> {
  const ofNetwork = burstRate(triesPerSecond, maxKeptTries)
  const ofAddress = burstRate(triesPerSecond, maxKeptTries)
  return async (network, refused, addresses) => {
    const recorded = ofNetwork.waitMs(network) > 0 ? [] : addresses.filter(({ addressId }) => ofAddress.waitMs(addressId) === 0)
    if (recorded.length === 0) return
    ofNetwork.record(network, recorded.length)
    for (const { addressId } of recorded) ofAddress.record(addressId, 1)
    await recordRefusedTry(app, refused, recorded)
  }
}
