import type { Sources } from '../../config/sources-url.ts'
import { unlessAborted, withDeadline } from '../../deadline.ts'
import { UnavailableError } from '../../errors.ts'
import { openFileStore } from './file-store.ts'
import type { NewObject, ObjectStore, SourceRange } from './object-store.ts'

/** The store of the sources of mail. Its calls have limits of time. */
export interface SourceStore {
  /** Stores an object, which is durable then. @throws UnavailableError, errors of its pieces, and the reason of the signal */
  put(name: string, object: NewObject, closing?: AbortSignal): Promise<void>
  /** @returns undefined when there is no such object @throws UnavailableError */
  read(name: string, range: SourceRange): Promise<Uint8Array | undefined>
  /** Removes an object that may be missing, and what an interrupted `put` has left of it. @throws UnavailableError */
  remove(name: string): Promise<void>
  /** Has a function called for each call that has ended; it replaces the one before. */
  recordCalls(record: (call: StoreCall) => void): void
  close(): Promise<void>
}

export interface StoreCall {
  operation: StoreOperation
  ms: number
  /** Why it failed; undefined when it succeeded. */
  error: Error | undefined
}

type StoreOperation = 'put' | 'read' | 'remove'

/** For a read or a removal: a thread that waits for 10 seconds counts as stuck. */
const callTimeoutMs = 5_000
/** For an object, and for each megabyte of it. */
const [putTimeoutMs, putTimeoutMsPerMegabyte] = [30_000, 1_000]

export async function openSourceStore(place: Sources): Promise<SourceStore> {
  // its library is loaded where it is used
  const store = place.kind === 'file' ? openFileStore(place.folder) : await (await import('./s3-store.ts')).openS3Store(place)
  return new TimedStore(store)
}

class TimedStore implements SourceStore {
  readonly #store: ObjectStore
  #record: (call: StoreCall) => void = () => {}

  constructor(store: ObjectStore) {
    this.#store = store
  }

  async put(name: string, { bytes, pieces }: NewObject, closing?: AbortSignal): Promise<void> {
    const failure: { of?: unknown } = {}
    const timeoutMs = putTimeoutMs + putTimeoutMsPerMegabyte * Math.ceil(bytes / 1024 / 1024)
    await this.#call('put', timeoutMs, (signal) => this.#store.put(name, { bytes, pieces: watched(pieces, failure) }, signal), {
      ...closing && { closing }, throwOther() { if ('of' in failure) throw failure.of },
    })
  }

  read(name: string, range: SourceRange): Promise<Uint8Array | undefined> {
    return this.#call('read', callTimeoutMs, (signal) => this.#store.read(name, range, signal))
  }

  remove(name: string): Promise<void> {
    return this.#call('remove', callTimeoutMs, (signal) => this.#store.remove(name, signal))
  }

  recordCalls(record: (call: StoreCall) => void): void {
    this.#record = record
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  /** @param options.throwOther throws an error that is not of the store */
  async #call<T>(
    operation: StoreOperation, timeoutMs: number, run: (signal: AbortSignal) => Promise<T>,
    { closing, throwOther }: { closing?: AbortSignal, throwOther?(): void } = {},
  ): Promise<T> {
    const start = performance.now()
    const record = (error?: Error) => this.#record({ operation, ms: performance.now() - start, error })
    const timeoutReason = new Error(`no answer within ${timeoutMs / 1000} seconds`)
    try {
      const result = await withDeadline({ timeoutMs, timeoutReason, ...closing && { signal: closing } },
        (signal) => unlessAborted(run(signal), signal)) // a file system of the network may not answer
      record()
      return result
    } catch (error) {
      closing?.throwIfAborted()
      throwOther?.()
      record(error as Error)
      throw new UnavailableError('sources', error)
    }
  }
}

/** Keeps the error of the pieces, which is not one of the store. */
async function* watched(pieces: AsyncIterable<Uint8Array>, failure: { of?: unknown }): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
  } catch (error) {
    failure.of = error
    throw error
  }
}
