export const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** UUIDs are read in any case and stored in lower case (RFC 9562, section 4). */
export function withLowerCaseIds(members: Record<string, unknown>): object {
  for (const name in members) {
    const value = members[name]
    if (typeof value === 'string' && uuid.test(value)) members[name] = value.toLowerCase()
  }
  return members
}
