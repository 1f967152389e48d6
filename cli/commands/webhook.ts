import type { WebhookEvent } from '@mayfly-mail/sdk'
import { Command, InvalidArgumentError, Option } from 'commander'
import { asClient } from '../client/as-client.ts'
import type { Client } from '../client/as-client.ts'
import { forwardEvents } from '../client/forward-events.ts'
import type { ListenOptions } from '../client/forward-events.ts'
import { newSecret } from '../client/new-secret.ts'
import { clientCommand, limitOption, parseId } from '../client/options.ts'
import type { ClientOptions } from '../client/options.ts'
import { pageSize, takeFirst } from '../client/take-first.ts'
import { line, print, printFirst, printRows, say } from '../output.ts'

const eventNames: WebhookEvent[] = ['email.received', 'email.deleted', 'address.created', 'address.expired', 'address.deleted']
const listCommand = 'mayfly webhook list'
const id = ['<id>', `id of the webhook, as "${listCommand}" shows it`, parseId] as const

export function webhookCommands(): Command {
  const webhook = new Command('webhook')

  clientCommand(webhook, 'listen', 'Receives events here and posts them to a URL of this machine, signed as the server signs its deliveries. '
    + 'It prints the secret first, and runs until Ctrl-C. Failed posts are not repeated.', [
    'mayfly webhook listen --forward-to http://localhost:8080/hooks/mail',
    'mayfly webhook listen --forward-to localhost:8080/hooks/mail --events email.received --secret whsec_…',
  ])
    .addOption(new Option('--forward-to <url>', 'the URL that events are posted to').argParser(localUrl).makeOptionMandatory())
    .addOption(eventsOption('only these events; default: all'))
    .option('--secret <secret>', 'the signing secret, whsec_ and base64; default: a new one')
    .action((options: ListenOptions) => asClient(options, (client) => forwardEvents(client, options)))

  clientCommand(webhook, 'add', 'Makes the server post events to a URL. The signing secret is shown only once, now.', [
    'mayfly webhook add https://ci.example.com/mail --events email.received',
    'mayfly webhook add https://ci.example.com/mail --json | jq -r .secret',
  ])
    .argument('<url>', 'an https URL with a public address, unless the server allows others')
    .addOption(eventsOption('only these events; default: all'))
    .option('--secret <secret>', 'the signing secret, whsec_ and base64; default: a new one')
    .action((url: string, options: AddOptions) => asClient(options, (client) => add(client, url, options)))

  clientCommand(webhook, 'list', 'Lists the webhooks, newest first, without their secrets.', ['mayfly webhook list'])
    .action((options: ClientOptions) => asClient(options, (client) => list(client, options)))

  clientCommand(webhook, 'test', 'Has the server post an example event to a webhook.', ['mayfly webhook test 019cebb7-9ec0-7bc1-9e4b-c7ae4e5c2a5b'])
    .argument(...id)
    .action((id: string, options: ClientOptions) => asClient(options, async ({ mayfly, signal }) => {
      print(options, await mayfly.webhooks.test(id, { signal }), ({ event, id: delivery }) =>
        line`${event} is on its way, delivery ${delivery}: "mayfly webhook deliveries ${id}" shows its result`)
    }, listCommand))

  clientCommand(webhook, 'deliveries', 'Lists the attempts to deliver events to a webhook, newest first.', [
    'mayfly webhook deliveries 019cebb7-9ec0-7bc1-9e4b-c7ae4e5c2a5b --limit 5',
  ])
    .argument(...id)
    .addOption(limitOption())
    .action((id: string, options: ClientOptions & { limit: number }) =>
      asClient(options, (client) => deliveries(client, id, options), listCommand))

  clientCommand(webhook, 'delete', 'Removes a webhook.', ['mayfly webhook delete 019cebb7-9ec0-7bc1-9e4b-c7ae4e5c2a5b'])
    .alias('remove')
    .argument(...id)
    .action((id: string, options: ClientOptions) => asClient(options, async ({ mayfly, signal }) => {
      await mayfly.webhooks.delete(id, { signal })
      print(options, { id, deleted: true }, () => `deleted ${id}`)
    }, listCommand))

  return webhook
}

interface AddOptions extends ClientOptions {
  events?: WebhookEvent[]
  secret?: string
}

async function add({ mayfly, signal }: Client, url: string, { events = eventNames, secret = newSecret(), ...options }: AddOptions) {
  // made here: when the first answer is lost, the repeated one has no secret
  const webhook = { ...await mayfly.webhooks.create({ url, events, secret }, { signal }), secret }
  print(options, webhook, () => line`${secret}`)
  if (!options.json) say(line`This secret signs the deliveries to ${webhook.url}, and is not shown again. Id ${webhook.id}.`)
}

async function list({ mayfly, signal }: Client, options: ClientOptions) {
  printRows(options, await mayfly.webhooks.list({ signal }), ['ID', 'URL', 'EVENTS', 'STATE', 'CREATED'], (webhook) => [
    webhook.id, webhook.url, webhook.events.join(' '), webhook.isActive ? 'active' : `off: ${webhook.disabledReason ?? ''}`,
    webhook.createdAt.toISOString(),
  ])
}

async function deliveries({ mayfly, signal }: Client, id: string, options: ClientOptions & { limit: number }) {
  const { limit } = options
  const attempts = await takeFirst(mayfly.webhooks.deliveries(id, { limit: pageSize(limit) }, { signal }), limit)
  printFirst(options, attempts, ['ID', 'EVENT', 'ATTEMPT', 'STATUS', 'ANSWER', 'MS', 'DUE', 'ERROR'], (delivery) => [
    delivery.id, delivery.event, String(delivery.attempt), delivery.status, String(delivery.responseStatus ?? ''),
    String(delivery.durationMs ?? ''), delivery.dueAt.toISOString(), delivery.error ?? '',
  ])
}

const eventsOption = (description: string) => new Option('--events <event...>', description).choices(eventNames)

/** Adds a missing http://, as in `localhost:8080/hooks`. */
function localUrl(text: string) {
  const url = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : {} as Partial<URL>
  if (/^https?:$/.test(protocol ?? '') && !username && !password) return url
  throw new InvalidArgumentError('It takes a URL such as http://localhost:8080/hooks/mail, without a password.')
}
