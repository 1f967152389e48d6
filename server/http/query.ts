import { parse } from 'node:querystring'

/** A query parameter of the document; `$ref`s are resolved. */
export interface QueryParameter {
  name: string
  schema?: unknown
}

/**
 * Text becomes a value of its type only as JSON writes it: no `+`, no blanks, no fraction, no exponent, no other base. All other text
 * stays text, which the schema of the parameter then refuses.
 */
const readers: Record<string, (text: string) => unknown> = {
  integer: (text) => /^(?:0|-?[1-9]\d*)$/.test(text) ? Number(text) : text,
  boolean: (text) => text === 'true' || text === 'false' ? text === 'true' : text,
}

/** @returns a function that parses a query string and gives its members the types of the document */
export function queryReader(parameters: QueryParameter[]): (querystring: string) => Record<string, unknown> {
  const typed = parameters.flatMap(({ name, schema }) => {
    const read = readers[String((schema as { type?: unknown } | undefined)?.type)]
    return read ? [{ name, read }] : []
  })
  return (querystring) => {
    const query = parse(querystring) as Record<string, unknown>
    for (const { name, read } of typed) {
      const text = query[name]
      if (typeof text === 'string') query[name] = read(text)
    }
    return query
  }
}
