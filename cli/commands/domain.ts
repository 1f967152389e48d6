import type { DomainCreated } from '@mayfly-mail/sdk'
import { Command } from 'commander'
import { CliError } from '../cli-error.ts'
import { asClient } from '../client/as-client.ts'
import type { Client } from '../client/as-client.ts'
import { findAddress } from '../client/find-address.ts'
import { clientCommand, which as whichAddress, wideOption } from '../client/options.ts'
import type { ClientOptions } from '../client/options.ts'
import { findDomain } from '../client/resources.ts'
import { line, print, printRows, say, tableOrBlocks } from '../output.ts'

const listCommand = 'mayfly domain list'
const which = ['<domain>', 'the domain, or its id, or a beginning or end of that'] as const

export function domainCommands(): Command {
  const domain = new Command('domain')

  clientCommand(domain, 'add', 'Adds a custom domain, and prints the two DNS records to set. They are looked for during 48 hours.', [
    'mayfly domain add qa.example.com',
    'mayfly domain add qa.example.com --json | jq .dnsRecords',
  ])
    .argument('<domain>', 'a domain of yours')
    .action((name: string, options: ClientOptions) => asClient(options, (client) => add(client, name, options)))

  clientCommand(domain, 'list', 'Lists the custom domains, newest first.', ['mayfly domain list'])
    .addOption(wideOption())
    .action((options: ClientOptions) => asClient(options, async ({ mayfly, signal }) => {
      printRows(options, await mayfly.domains.list({ signal }), ['DOMAIN', 'STATUS', 'CREATED', 'ID'],
        ({ domain, status, createdAt, id }) => [domain, status, createdAt, { id }])
    }))

  clientCommand(domain, 'verify', 'Looks for the DNS records of a domain now, and prints the result.', ['mayfly domain verify qa.example.com'])
    .argument(...which)
    .action((wanted: string, options: ClientOptions) => asClient(options, async (client) => {
      const { id } = await findDomain(client, wanted)
      print(options, await client.mayfly.domains.verify(id, { signal: client.signal }), ({ message }) => line`${message}`)
    }, listCommand))

  clientCommand(domain, 'catch-all', 'Chooses the address that gets mail to names at a domain that were not issued.', [
    'mayfly domain catch-all qa.example.com shop',
    'mayfly domain catch-all qa.example.com --end   such mail is refused again',
  ])
    .argument(...which)
    .argument('[address]', whichAddress)
    .option('--end', 'choose none')
    .action((wanted: string, address: string | undefined, options: CatchAllOptions) => asClient(options, async (client) => {
      if ((address === undefined) !== Boolean(options.end)) throw new CliError('Nothing changes: give an address, or --end.')
      const { id } = await findDomain(client, wanted)
      const chosen = address === undefined ? null : await findAddress(client, address)
      const changed = await client.mayfly.domains.update(id, { catchAllId: chosen && chosen.id }, { signal: client.signal })
      print(options, changed, ({ domain }) => chosen
        ? line`mail to other names at ${domain} comes to ${chosen.address}`
        : line`mail to other names at ${domain} is refused`)
    }, listCommand))

  clientCommand(domain, 'delete', 'Removes a domain. Its addresses then receive no mail.', ['mayfly domain delete qa.example.com'])
    .argument(...which)
    .action((wanted: string, options: ClientOptions) => asClient(options, async (client) => {
      const { id, domain } = await findDomain(client, wanted, { isPermanent: true })
      await client.mayfly.domains.delete(id, { signal: client.signal })
      print(options, { id, domain, deleted: true }, () => line`deleted ${domain} (${id})`)
    }, listCommand))

  return domain
}

interface CatchAllOptions extends ClientOptions {
  end?: boolean
}

async function add({ mayfly, signal }: Client, domain: string, options: ClientOptions) {
  const created = await mayfly.domains.create({ domain }, { signal })
  print(options, created, recordsOf)
  if (!options.json) say(line`"mayfly domain verify ${created.domain}" looks for them at once.`)
}

const recordsOf = ({ dnsRecords: { mx, txt } }: DomainCreated) => tableOrBlocks(['TYPE', 'HOST', 'VALUE'], [
  ['MX', mx.host, `${mx.priority} ${mx.value}`], ['TXT', txt.host, txt.value],
])
