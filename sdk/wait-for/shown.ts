import { firstIdAt, timeOfId } from '../ids.ts'

/** How long after its arrival a mail may still become visible, in milliseconds: long ones take time to read. */
export const lateMs = 60_000

/** Where a wait begins: with mail later than `after` that is not one of `except`. */
export interface Start {
  after?: string
  except: ReadonlySet<string>
}

export type Shown = ReturnType<typeof trackShown>

/** Remembers which addresses a client issued, and which mail it has shown to its caller. */
export function trackShown() {
  const marks = new Map<string, Mark>()
  const recent = new Set<string>()

  function remember(id: string) {
    recent.add(id)
    if (recent.size > 1000) recent.delete(recent.values().next().value!)
  }

  return {
    issued(addressId: string) {
      marks.set(addressId, { passed: new Set() })
    },

    removed(addressId: string) {
      marks.delete(addressId)
    },

    /**
     * An answer of `list` or `get` had this mail: what came before it is done with, unless it came after `cursor`:
     * then it is still being read by the server.
     */
    show({ id, addressId }: Arrival, cursor = id) {
      remember(id)
      const mark = marks.get(addressId)
      if (!mark) return
      const isNewest = !isUpTo(mark.newest, id)
      const after = isNewest ? later(mark.after, cursor < id ? cursor : id) : mark.after
      const passed = [...mark.passed, id].filter((other) => other > (after ?? ''))
      marks.set(addressId, { newest: isNewest ? id : mark.newest, after, passed: new Set(passed) })
    },

    /**
     * A wait returned this mail after it had met others. One that becomes visible late is still to come.
     * @param settled where the server has nothing more to show before; unknown, a while ago
     */
    returned({ id, addressId }: Arrival, met: Iterable<Arrival>, settled = firstIdAt(timeOfId(id) - lateMs)) {
      remember(id)
      const mark = marks.get(addressId)
      if (!mark) return
      const metHere = [...met].filter((other) => other.addressId === addressId).map((other) => other.id)
      const isNewest = !isUpTo(mark.newest, id)
      const after = isNewest ? later(mark.after, settled) : mark.after
      const passed = [...mark.passed, ...metHere.filter((other) => other < id), id].filter((other) => other > (after ?? ''))
      marks.set(addressId, { newest: isNewest ? id : mark.newest, after, passed: new Set(passed) })
    },

    /** Where a wait at an address that this client issued begins. */
    startOf(addressId: string): Start | undefined {
      const mark = marks.get(addressId)
      return mark && { after: mark.after, except: mark.passed }
    },

    /** The ids of the mail shown last. */
    recent: (): ReadonlySet<string> => new Set(recent),
  }
}

interface Arrival {
  id: string
  addressId: string
}

/** How far the caller has seen an address. */
interface Mark extends Pick<Start, 'after'> {
  /** The newest mail shown. */
  newest?: string
  /** Mail later than `after` that the caller has been shown, or that a wait has passed over. */
  passed: ReadonlySet<string>
}

const isUpTo = (newest: string | undefined, id: string) => newest !== undefined && id <= newest

const later = (a: string | undefined, b: string) => a !== undefined && a > b ? a : b
