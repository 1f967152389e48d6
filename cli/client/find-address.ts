import type { Address } from '@mayfly-mail/sdk'
import { CliError } from '../cli-error.ts'
import { oneLine } from '../output.ts'
import type { Client } from './as-client.ts'
import { itemsWithPart, onlyOne, searched } from './find-by-part.ts'
import type { Kind } from './find-by-part.ts'
import { isId, isIdPart } from './options.ts'

/** Maximum addresses of each state among which one is looked for: ten requests. */
const maxSearched = 1_000

interface Finding {
  /** Of each request. */
  timeoutMs?: number | undefined
  /** False for a change that cannot be undone: a mistyped name must not be taken for a part of an id. */
  byIdPart?: boolean
}

/**
 * Finds an address by its id, in full, or by the part before the @, or else by a part of its id, among the first that are listed.
 * An active address goes before an expired one of the same name.
 * @throws CliError when there is no such address, several have this part before the @, or there are too many to tell
 */
export async function findAddress(
  { mayfly, signal }: Client, wanted: string, { timeoutMs, byIdPart = true }: Finding = {},
): Promise<Address> {
  if (isId(wanted)) {
    const { NotFoundError } = await import('@mayfly-mail/sdk')
    return mayfly.addresses.get(wanted, { signal, timeoutMs }).catch((error: unknown) => {
      throw error instanceof NotFoundError ? noAddress(wanted, false) : error
    })
  }
  const name = wanted.toLowerCase()
  const isWhole = name.includes('@')
  const newest: Address[] = []
  for (const status of ['active', 'expired'] as const) {
    const found: Address[] = []
    let seen = 0
    for await (const address of mayfly.addresses.list({ status, limit: 100 }, { signal, timeoutMs })) {
      if (seen++ === maxSearched) throw tooMany(wanted, status)
      if (newest.length < searched) newest.push(address)
      if ((isWhole ? address.address : address.alias) !== name) continue
      if (isWhole) return address
      found.push(address)
    }
    const addresses = [...new Set(found.map(({ address }) => address))]
    if (addresses.length > 1) throw new CliError(`${name} may be ${addresses.map(oneLine).join(' or ')}. Give the whole address.`)
    if (found[0]) return found[0]
  }
  const byId = byIdPart ? itemsWithPart(newest, wanted) : []
  if (byId.length > 0) return onlyOne(byId, wanted, addresses)
  throw noAddress(wanted, byIdPart)
}

const addresses: Kind<Address> = { plural: 'addresses', listCommand: 'mayfly address list', title: ({ address }) => address }

const tooMany = (wanted: string, status: string) => new CliError(`You have more than ${maxSearched} ${status} addresses, and ${
  oneLine(wanted)} is looked for among the newest of them alone. Give the whole ${wanted.includes('@') ? '' : 'address or the whole '}id, `
  + 'which "mayfly address create --json" and "mayfly address list" show.')

function noAddress(wanted: string, byIdPart: boolean) {
  const byPart = isIdPart(wanted) && !isId(wanted) && byIdPart ? `, and none of the first ${searched} has an id that begins or ends so` : ''
  return new CliError(`There is no address ${oneLine(wanted)} of yours${byPart}. "mayfly address list" shows them.`)
}

/** Finds an address that can receive mail. @throws CliError when it has expired, or its domain is not verified */
export async function findActiveAddress(client: Client, wanted: string, timeoutMs?: number): Promise<Address> {
  const address = await findAddress(client, wanted, { timeoutMs })
  if (address.isActive) return address
  throw new CliError(`${address.address} receives no mail: it has expired (${address.expiresAt.toISOString()}) or its domain is not verified. `
    + `"mayfly inbox list ${address.id}" shows its mail.`)
}
