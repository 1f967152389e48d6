import { prefixedId } from '../ids.ts'

/** The text of server-sent events, in the classic dialect. @param text whole lines; U+2028 and U+2029 end none, as `$` would take them */
export const toClassicEvents = (text: string): string => text.replaceAll(/(?<=^|\n)data: ([^\n]*)/g, (_, payload: string) => {
  const event = JSON.parse(payload) as { data: object }
  return `data: ${JSON.stringify({ ...event, data: toClassicData(event.data) })}`
})

/** The `data` of an event: of `email.*` with ids alone, of `address.*` with an address. */
export const toClassicData = (data: object): object =>
  Object.fromEntries(Object.entries(data).map(([name, value]: [string, unknown]) => conversions[name]?.(String(value)) ?? [name, value]))

const conversions: Record<string, (value: string) => [string, string]> = {
  emailId: (id) => ['emailId', prefixedId('email', id)],
  addressId: (id) => ['addressId', prefixedId('address', id)],
  address: (address) => ['email', address],
}
