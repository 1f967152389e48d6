import { NetworkError, TimeoutError } from './errors.ts'
import { within } from './retry.ts'
import type { TimeLimit } from './retry.ts'

/**
 * Loads a part of this package that many programs do not use, at its first use: bundlers make a file of its own of it.
 * @param name of the part, for the errors
 * @throws NetworkError when the part cannot be loaded, TimeoutError, or the reason of the signal
 */
export function load<Part>(name: string, limit: TimeLimit, importPart: () => Promise<Part>): Promise<Part> {
  const part = `The part ${name} of @mayfly-mail/sdk was not loaded`
  const timeoutError = () => new TimeoutError(`${part} within ${limit.timeoutMs} ms`)
  return within({ ...limit, timeoutError }, () => importPart().catch((cause: unknown) => {
    throw new NetworkError(`${part}: ${(cause as Error).message}`, { cause })
  }))
}
