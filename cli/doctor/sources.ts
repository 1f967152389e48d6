import { randomUUID } from 'node:crypto'
import type { Sources } from '../../server/config/sources-url.ts'
import { openSourceStore } from '../../server/store/sources/source-store.ts'
import type { SourceStore } from '../../server/store/sources/source-store.ts'
import { ok, problem } from './check.ts'
import type { Check, Finding } from './check.ts'

/** Writes, reads and removes an object in the store of MAYFLY_SOURCES. */
export const sources: Check = {
  name: 'sources',
  appliesTo: ({ config }) => config.sources !== null,
  async run({ config }) {
    const place = config.sources!
    try {
      const store = await openSourceStore(place)
      return await tryStore(store, labelOf(place)).finally(() => store.close())
    } catch (error) {
      const { message, cause } = error as Error
      return problem(`${labelOf(place)} cannot be used: ${cause instanceof Error ? cause.message : message}`,
        'Check MAYFLY_SOURCES, the permissions there, and the network. Until then mail waits in the database.')
    }
  },
}

const labelOf = (place: Sources) => place.kind === 'file' ? place.folder : place.url

async function tryStore(store: SourceStore, label: string): Promise<Finding> {
  const name = `doctor/${randomUUID()}`
  const bytes = Buffer.from('an object of mayfly doctor')
  const range = { offset: 3, length: 6 }
  await store.put(name, { bytes: bytes.length, pieces: once(bytes) })
  const found = await store.read(name, range).finally(() => store.remove(name))
  if (!found || !bytes.subarray(3, 9).equals(found)) return problem(`${label} returns other bytes than it was given`, 'Look for a proxy between that changes them.')
  if (await store.read(name, range)) return problem(`${label} still returns an object that was removed`, 'Look at its rules for retention.')
  return ok(`an object was written to ${label}, read and removed`)
}

async function* once(bytes: Uint8Array) {
  yield bytes
}
