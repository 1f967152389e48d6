/** How long after its arrival a mail may still become visible, in milliseconds: long ones take time to read. */
export const lateMs = 60_000

/** Where a wait begins: with mail later than `after` that is not one of `except`. */
export interface Start {
  after: string
  except: Set<string>
}

export type Shown = ReturnType<typeof trackShown>

/** Remembers which addresses a client issued, and which mail it has shown to its caller. */
export function trackShown() {
  const marks = new Map<string, Mark>()
  const recent = new Set<string>()

  return {
    issued(addressId: string) {
      marks.set(addressId, { newest: '', after: '', passed: [] })
    },

    removed(addressId: string) {
      marks.delete(addressId)
    },

    /**
     * The caller was given this mail. What came before it is done with, unless it came after `settled`: of that, more may
     * become visible, and all but what was `met` is still to come.
     */
    show({ id, addressId }: Arrival, settled = id, met: Iterable<Arrival> = []) {
      recent.add(id)
      if (recent.size > 1000) recent.delete(recent.values().next().value!)
      const mark = marks.get(addressId)
      if (!mark) return
      const passed = [...met].filter((other) => other.addressId === addressId && other.id < id).map((other) => other.id)
      if (id > mark.newest) {
        mark.newest = id
        mark.after = max(mark.after, settled < id ? settled : id)
      }
      mark.passed = [...mark.passed, ...passed, id].filter((other) => other > mark.after)
    },

    /** Where a wait at an address that this client issued begins. */
    startOf(addressId: string): Start | undefined {
      const mark = marks.get(addressId)
      return mark && { after: mark.after, except: new Set(mark.passed) }
    },

    /** The ids of the mail shown last. */
    recent: () => new Set(recent),
  }
}

interface Arrival {
  id: string
  addressId: string
}

/** How far the caller has seen an address. */
interface Mark {
  /** The newest mail shown. */
  newest: string
  after: string
  /** Mail later than `after` that the caller has been shown, or that a wait has passed over. */
  passed: string[]
}

/** The later of two ids; '' is before all. */
export const max = (a: string, b: string): string => a > b ? a : b
