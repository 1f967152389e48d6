import { freeSpaceOf } from '../../server/store/database.ts'
import { ok, problem, warning } from './check.ts'
import type { Check } from './check.ts'

/** Free space for mail: below `MAYFLY_MIN_FREE_BYTES` the server answers 452. */
export const disk: Check = {
  name: 'disk',
  appliesTo: ({ database }) => 'folder' in database,
  async run({ config: { minFreeBytes }, database }) {
    const folder = 'folder' in database ? database.folder : ''
    const freeBytes = await freeSpaceOf({ folder, freeBytes: () => database.kind === 'usable' ? database.freeBytes : 0 }).freeBytes()
    const found = `${inWords(freeBytes)} free in ${folder}, MAYFLY_MIN_FREE_BYTES is ${inWords(minFreeBytes)}`
    if (freeBytes < minFreeBytes) return problem(`${found}: mail is answered 452`, 'Make room, or lower MAYFLY_MIN_FREE_BYTES.')
    if (freeBytes < 2 * minFreeBytes) return warning(found, 'Make room soon: below it, mail is answered 452.')
    return ok(found)
  },
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']

export function inWords(bytes: number) {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return `${Number((bytes / 1000 ** power).toFixed(1))} ${units[power]}`
}
