import type { Address } from '@mayfly-mail/sdk'
import { storedValue } from '../../ui/stored-value.ts'

/** The pin and the label that the user has added to an address, in this browser: the API has no place for it. */
export interface AddressMark {
  isPinned?: boolean | undefined
  note?: string | undefined
}

export const addressMarks = storedValue<Record<string, AddressMark>>('mayfly-address-marks', {}, (value) => typeof value === 'object' && value !== null)

export function markAddress(id: string, mark: AddressMark) {
  const { [id]: before, ...others } = addressMarks.read()
  const next = { ...before, ...mark }
  addressMarks.write(next.isPinned || next.note ? { ...others, [id]: next } : others)
}

/** Pinned addresses first, then those with the newest mail; without mail, by their creation. */
export function sortAddresses(addresses: Address[], marks: Record<string, AddressMark>): Address[] {
  const timeOf = ({ lastEmailAt, createdAt }: Address) => (lastEmailAt ?? createdAt).getTime()
  const rankOf = ({ id }: Address) => marks[id]?.isPinned ? 1 : 0
  return addresses.toSorted((first, second) => rankOf(second) - rankOf(first) || timeOf(second) - timeOf(first))
}
