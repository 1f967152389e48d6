import { randomUUID } from 'node:crypto'
import { openSourceStore } from '../../server/store/sources/source-store.ts'
import { ok, problem } from './check.ts'
import type { Check } from './check.ts'

/** Writes, reads and removes an object in the store of MAYFLY_SOURCES. */
export const sources: Check = {
  name: 'sources',
  appliesTo: ({ config }) => config.sources !== null,
  async run({ config }) {
    const place = config.sources!
    const label = place.kind === 'file' ? place.folder : place.url
    const store = await openSourceStore(place)
    const name = `doctor/${randomUUID()}`
    const text = Buffer.from('an object of mayfly doctor')
    try {
      await store.put(name, { bytes: text.length, pieces: once(text) }, new AbortController().signal)
      const read = await store.read(name, { offset: 3, length: 6 })
      await store.remove([name])
      if (!read || !text.subarray(3, 9).equals(read)) return problem(`${label} answers other bytes than were written`, 'Look for what is between.')
      if (await store.read(name, { offset: 3, length: 6 })) return problem(`${label} still has an object that was removed`, 'Look at its rules for retention.')
      return ok(`${label}: an object was written, read and removed`)
    } catch (error) {
      const { message } = (error as Error).cause as Error ?? error
      return problem(`${label} cannot be used: ${message}`, 'Look at MAYFLY_SOURCES, at the rights and at the network. Until then mail waits in the database.')
    } finally {
      await store.close()
    }
  },
}

async function* once(bytes: Uint8Array) {
  yield bytes
}
