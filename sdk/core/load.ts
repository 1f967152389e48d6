import { NetworkError } from './errors.ts'
import { within } from './retry.ts'
import type { TimeLimit } from './retry.ts'

/**
 * Loads a part of this package that many programs do not use, at its first use: bundlers make a file of its own of it.
 * @throws NetworkError when the part cannot be loaded; the reason of the signal
 */
export const load = <Part>(limit: TimeLimit, importPart: () => Promise<Part>): Promise<Part> =>
  within(limit, () => importPart().catch((cause: unknown) => {
    throw new NetworkError(`A part of @mayfly-mail/sdk could not be loaded: ${(cause as Error).message}`, { cause })
  }))
