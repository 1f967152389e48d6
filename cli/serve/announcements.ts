import { line, print } from '../output.ts'
import type { Text } from '../output.ts'

/** Makes a link that signs in to the dashboard; undefined where there is no account for it. */
export type NewLink = () => Promise<string | undefined>

/** The facts that a server tells on stdout at its start, in this order. */
export interface Announcements {
  /** The account that a new database gets. @param key undefined for the key that the operator has chosen */
  account(account: string, key?: string): void
  /** @param places URL or host and port, by the name of the listener */
  listening(places: { http: string, smtp: string, submission?: string, smtps?: string }): void
  catchAll(address: string, networks: string[]): void
  /** @param isBuilt whether the dashboard can be shown, once that is known */
  dashboard(isBuilt: Promise<boolean>, newLink: NewLink): Promise<void>
  close(): void
}

export const listeningLine = (places: object): string =>
  ['listening', ...Object.entries(places).map(([name, place]) => `${name}=${place}`)].join(' ')

/**
 * For programs: documents of JSON, one a line. Without `--json`, the account, the places and the link are lines of text: scripts outside of
 * this project read their ports, key and link from them, as README.md shows them.
 */
export function announceToPrograms({ json = false }: { json?: boolean }): Announcements {
  const announce = (event: string, members: object, text?: Text) =>
    print({ json: json || text === undefined }, { event, ...members }, () => text!)
  return {
    account: (account, key) => announce('account', { account, key }, key
      ? line`account ${account} (Business), its API key, shown this once: ${key}`
      : line`account ${account} (Business), its API key is that of MAYFLY_INITIAL_API_KEY`),
    listening: (places) => announce('listening', { listening: places }, listeningLine(places)),
    catchAll: (address, networks) => announce('catch-all', { catchAll: { address, networks } }),
    async dashboard(isBuilt, newLink) {
      const url = await isBuilt ? await newLink() : undefined
      if (url) announce('sign-in-link', { dashboard: url }, line`dashboard ${url}`)
    },
    close: () => {},
  }
}
