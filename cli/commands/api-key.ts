import type { ApiKey, ApiKeyCreate, Scope } from '@mayfly-mail/sdk'
import { Command, InvalidArgumentError } from 'commander'
import { asClient } from '../client/as-client.ts'
import { clientCommand, isId, parseDuration, parsePermanentId, RequestOption, wholeNumber, wideOption } from '../client/options.ts'
import type { ClientOptions } from '../client/options.ts'
import { apiKeyId } from '../client/resources.ts'
import { line, print, printRows, say } from '../output.ts'

/** The options that set the bounds and the end of a key. */
export interface BoundOptions {
  addressId?: string[]
  addressPrefix?: string
  domain?: string[]
  maxAddresses?: number
  expiresIn?: number
}

/** Adds the options of `BoundOptions` to a command that creates a key. */
export const withBounds = (command: Command): Command => command
  .addOption(new RequestOption('--address-id <id...>', 'only these addresses').sets('bounds.addressIds').argParser(addressIds))
  .addOption(new RequestOption('--address-prefix <text>', 'only addresses that begin with it, such as ci-').sets('bounds.aliasPrefix'))
  .addOption(new RequestOption('--domain <domain...>', 'only addresses at these domains').sets('bounds.domains'))
  .addOption(new RequestOption('--max-addresses <number>', 'how many of them may be active before it creates another one')
    .sets('bounds.maxAddresses').argParser(wholeNumber(10_000)))
  .addOption(new RequestOption('--expires-in <time>', 'when the key ends: 10m, 1h, 7d, or a number of seconds; default: never')
    .inSeconds().argParser((text) => Math.ceil(parseDuration(text))))

function addressIds(text: string, earlier: string[] = []): string[] {
  if (!isId(text)) throw new InvalidArgumentError('It must be a whole id, as "mayfly address list --wide" shows it.')
  return [...earlier, text.toLowerCase()]
}

/** @returns undefined without an option */
export function boundsOf({ addressId, addressPrefix, domain, maxAddresses }: BoundOptions): ApiKeyCreate['bounds'] {
  const bounds = {
    ...addressId && { addressIds: addressId }, ...addressPrefix !== undefined && { aliasPrefix: addressPrefix },
    ...domain && { domains: domain }, ...maxAddresses !== undefined && { maxAddresses },
  }
  return Object.keys(bounds).length > 0 ? bounds : undefined
}

/** Bounds as a list shows them: `ci-*  at qa.example.com  at most 20`. */
export function boundsText(bounds: ApiKey['bounds']): string {
  if (!bounds) return ''
  const { addressIds, aliasPrefix, domains, maxAddresses } = bounds
  return [
    addressIds && `${addressIds.length} ${addressIds.length === 1 ? 'address' : 'addresses'}`, aliasPrefix !== undefined && `${aliasPrefix}*`,
    domains && `at ${domains.join(', ')}`, maxAddresses !== undefined && `at most ${maxAddresses}`,
  ].filter(Boolean).join('  ')
}

/** The bounds and the end of a new key: `ci-*  at most 20  ends 2026-12-05T09:00:00.000Z`. */
export const limitsText = ({ bounds, expiresAt }: { bounds: ApiKey['bounds'], expiresAt: Date | string | null }): string =>
  [boundsText(bounds), expiresAt && `ends ${new Date(expiresAt).toISOString()}`].filter(Boolean).join('  ')

interface CreateOptions extends ClientOptions, BoundOptions {
  name: string
  scope: Scope[]
}

export function apiKeyCommands(): Command {
  const apiKey = new Command('api-key')

  withBounds(clientCommand(apiKey, 'create', 'Creates a key that can do at most what yours can. Its value is shown once, now.', [
    'mayfly api-key create --name agent --scope emails:read emails:write --address-prefix agent- --max-addresses 5 --expires-in 1h',
    'KEY=$(mayfly api-key create --name ci --scope emails:read --address-prefix ci- --expires-in 7d)   in a script',
  ])
    .requiredOption('--name <name>', 'a name for the key, such as its use')
    .requiredOption('--scope <scope...>', 'the scopes of the key, which yours must have'))
    .action((options: CreateOptions) => asClient(options, async ({ mayfly, signal }) => {
      const { name, scope: scopes, expiresIn } = options
      const bounds = boundsOf(options)
      const wanted = { name, scopes, ...bounds && { bounds }, ...expiresIn !== undefined && { expiresIn } }
      const created = await mayfly.apiKeys.create(wanted, { signal })
      print(options, created, ({ key }) => line`${key ?? ''}`)
      const limits = limitsText(created)
      if (!options.json) say(line`Keep it: it is not shown again. Id ${created.id}.${limits && ` ${limits}`}`)
    }))

  clientCommand(apiKey, 'list', 'Lists your key and those that it made, without their values.', ['mayfly api-key list'])
    .addOption(wideOption())
    .action((options: ClientOptions) => asClient(options, async ({ mayfly, signal }) => {
      printRows(options, await mayfly.apiKeys.list({ signal }), ['ID', 'NAME', 'KEY', 'SCOPES', 'BOUNDS', 'ENDS', 'LAST USED'],
        ({ id, name, prefix, mode, scopes, bounds, expiresAt, lastUsedAt }) =>
          [{ id }, name, `${prefix ?? `svc_${mode}_`}…`, scopes.join(' '), boundsText(bounds), expiresAt ?? '', lastUsedAt ?? ''])
    }))

  clientCommand(apiKey, 'revoke', 'Revokes a key, with those that it made, permanently and at once.', ['mayfly api-key revoke 019ceb92-ea80-752e-bca9-6513269e0d37'])
    .argument('<id>', 'id of the key, or its beginning or end', parsePermanentId)
    .action((wanted: string, options: ClientOptions) => asClient(options, async (client) => {
      const id = await apiKeyId(client, wanted)
      await client.mayfly.apiKeys.revoke(id, { signal: client.signal })
      print(options, { id, revoked: true }, () => line`revoked ${id}`)
    }, 'mayfly api-key list'))

  return apiKey
}
