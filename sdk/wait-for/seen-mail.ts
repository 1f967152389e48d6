/** Where a wait begins: after an email, a cursor or a time, with mail that is not one of `except`. */
export interface Start {
  after: string
  except: ReadonlySet<string>
}

export type SeenMail = ReturnType<typeof trackSeenMail>

/** Remembers the addresses that a client issued, and the mail that its calls returned. */
export function trackSeenMail() {
  /** The newest email that a call returned, by issued address; '' before the first. */
  const newest = new Map<string, string>()
  /** The ids of the last 1,000 emails that calls returned. */
  const recent = new Set<string>()

  return {
    issued(addressId: string) {
      newest.set(addressId, '')
    },

    removed(addressId: string) {
      newest.delete(addressId)
    },

    /** A call returned this email: later waits begin after the newest of its address. */
    add({ id, addressId }: { id: string, addressId: string }) {
      recent.add(id)
      if (recent.size > 1000) recent.delete(recent.values().next().value!)
      const known = newest.get(addressId)
      if (known !== undefined && id > known) newest.set(addressId, id)
    },

    /** After which mail a wait begins at an address that this client issued: '' for all; undefined for other addresses. */
    newestOf: (addressId: string) => newest.get(addressId),

    recent: (): Start['except'] => new Set(recent),
  }
}
