/** Which part of a list a query asks for; the document has refused what is out of range. */
export const pageOf = (query: { limit?: number, offset?: number }, defaultLimit: number) =>
  ({ limit: query.limit ?? defaultLimit, offset: query.offset ?? 0 })
