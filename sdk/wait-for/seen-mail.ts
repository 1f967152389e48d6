/** Maximum time from the arrival of a mail until it is listed: the server takes time to parse a long one. */
export const maxParseDelayMs = 60_000

/** Where a wait begins: with mail later than `after` that is not one of `except`. */
export interface Start {
  after: string
  except: Set<string>
}

export type SeenMail = ReturnType<typeof trackSeenMail>

/** Remembers the addresses that a client issued, and the mail that its calls returned. */
export function trackSeenMail() {
  const positions = new Map<string, SeenPosition>()
  const recent = new Set<string>()

  return {
    issued(addressId: string) {
      positions.set(addressId, { newest: '', after: '', skipped: [] })
    },

    removed(addressId: string) {
      positions.delete(addressId)
    },

    /**
     * A call returned this email. Later waits begin after it, and skip all earlier mail up to `settled`. Mail between `settled` and this
     * email may still be in the server's parser: later waits return it, except for that in `skippedMail`.
     */
    add({ id, addressId }: EmailRef, settled = id, skippedMail: Iterable<EmailRef> = []) {
      recent.add(id)
      if (recent.size > 1000) recent.delete(recent.values().next().value!)
      const position = positions.get(addressId)
      if (!position) return
      const skipped = [...skippedMail].filter((other) => other.addressId === addressId && other.id < id).map((other) => other.id)
      if (id > position.newest) {
        position.newest = id
        position.after = max(position.after, settled < id ? settled : id)
      }
      position.skipped = [...position.skipped, ...skipped, id].filter((other) => other > position.after)
    },

    /** Where a wait begins at an address that this client issued; undefined for other addresses. */
    startOf(addressId: string): Start | undefined {
      const position = positions.get(addressId)
      return position && { after: position.after, except: new Set(position.skipped) }
    },

    /** The ids of the last 1,000 emails that calls returned. */
    recent: () => new Set(recent),
  }
}

interface EmailRef {
  id: string
  addressId: string
}

/** How much mail of an address the caller has seen. */
interface SeenPosition {
  /** The newest email that a call returned; '' before the first. */
  newest: string
  after: string
  /** Emails later than `after` that a call returned or a wait skipped. */
  skipped: string[]
}

/** The later of two ids; '' is before all. */
export const max = (a: string, b: string): string => a > b ? a : b
