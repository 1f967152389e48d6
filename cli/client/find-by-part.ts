import { CliError } from '../cli-error.ts'
import { oneLine } from '../output.ts'
import { isId, isIdPart, minPermanentPart } from './options.ts'

/** Number of the newest resources among which a part of an id is looked for: one page of a list. */
export const searched = 100

/** A kind of resource that commands name by an id, or by a part of it. */
export interface Kind<T extends { id: string }> {
  /** `emails` */
  plural: string
  /** The command that lists them. */
  listCommand: string
  /** A text that distinguishes it for a reader, beside the id. */
  title(item: T): string
}

/**
 * Finds an id by its beginning or its end. The newest ids share their beginning, which is their time, and differ at their end.
 * @param newest is called unless `wanted` is a whole id; it makes one request
 * @throws CliError when none of the newest fits, or several do, naming them
 */
export async function findId<T extends { id: string }>(wanted: string, kind: Kind<T>, newest: () => Promise<T[]>): Promise<string> {
  if (isId(wanted)) return wanted.toLowerCase()
  const items = await newest()
  return onlyOne(itemsWithPart(items, wanted), wanted, kind).id
}

/**
 * Refuses a short part of an id for a change that cannot be undone: a mistyped one could fit another resource.
 * @throws CliError naming the length
 */
export function refuseShortPart(wanted: string): void {
  if (!isIdPart(wanted) || wanted.length >= minPermanentPart) return
  throw new CliError(`${wanted} is too short a part of an id for a change that cannot be undone. Give ${minPermanentPart} characters of it, or all.`)
}

export function itemsWithPart<T extends { id: string }>(items: T[], part: string): T[] {
  const wanted = part.toLowerCase()
  return isIdPart(part) ? items.filter(({ id }) => id.startsWith(wanted) || id.endsWith(wanted)) : []
}

/** Maximum number of ids that an error lists. */
const maxListed = 10

/** @throws CliError for none, or for several, which it lists */
export function onlyOne<T extends { id: string }>(found: T[], wanted: string, { plural, listCommand, title }: Kind<T>): T {
  if (found.length === 1) return found[0]!
  const shown = oneLine(wanted)
  if (found.length === 0) {
    throw new CliError(`None of the ${searched} newest ${plural} has an id that begins or ends with ${shown}. "${listCommand}" shows them; `
      + 'an older one is found by its whole id.')
  }
  const lines = found.slice(0, maxListed).map((item) => `  ${item.id}  ${oneLine(title(item))}`)
  const more = found.length > maxListed ? [`  and ${found.length - maxListed} more`] : []
  throw new CliError([`The ids of ${found.length} ${plural} begin or end with ${shown}. Give more of it:`, ...lines, ...more].join('\n'))
}
