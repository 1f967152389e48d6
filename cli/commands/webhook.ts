import type { Mayfly, RawRequestOptions, Webhook, WebhookEvent, WebhookForm } from '@mayfly-mail/sdk'
import { Command, InvalidArgumentError, Option } from 'commander'
import { CliError } from '../cli-error.ts'
import { asClient } from '../client/as-client.ts'
import type { Client } from '../client/as-client.ts'
import { forwardEvents } from '../client/forward-events.ts'
import type { ListenOptions } from '../client/forward-events.ts'
import { newSecret } from '../client/new-secret.ts'
import { clientCommand, dialectOption, limitOption, parseId, parsePermanentId, RequestOption, wideOption } from '../client/options.ts'
import type { ClientOptions } from '../client/options.ts'
import { deliveryId, webhookId } from '../client/resources.ts'
import type { WebhookDelivery } from '../client/resources.ts'
import { pageSize, takeFirst } from '../client/take-first.ts'
import { join, line, print, printFirst, printRows, say } from '../output.ts'

const eventNames: WebhookEvent[] = ['email.received', 'email.deleted', 'address.created', 'address.expired', 'address.deleted']
const listCommand = 'mayfly webhook list'
const id = ['<id>', `id of the webhook, as "${listCommand}" shows it, or its beginning or end`, parseId] as const
const permanentId = [id[0], id[1], parsePermanentId] as const

export function webhookCommands(): Command {
  const webhook = new Command('webhook')

  clientCommand(webhook, 'listen', 'Receives events here and posts them to a URL of this machine, signed as the server signs its deliveries. '
    + 'It prints the secret first, and runs until Ctrl-C. Failed posts are not repeated.', [
    'mayfly webhook listen --forward-to http://localhost:8080/hooks/mail',
    'mayfly webhook listen --forward-to localhost:8080/hooks/mail --events email.received --secret whsec_…',
  ])
    .addOption(new Option('--forward-to <url>', 'the URL that events are posted to').argParser(localUrl).makeOptionMandatory())
    .addOption(eventsOption('only these events; default: all'))
    .option('--secret <secret>', 'the signing secret, 8 to 200 characters; default: a new one')
    .action((options: ListenOptions) => asClient(options, (client) => forwardEvents(client, options)))

  clientCommand(webhook, 'add', 'Makes the server post events to a URL. The signing secret is shown only once, now.', [
    'mayfly webhook add https://ci.example.com/mail --events email.received',
    'mayfly webhook add https://ci.example.com/mail --json | jq -r .secret',
    'mayfly webhook add https://ci.example.com/mail --form a --dialect classic',
  ])
    .argument('<url>', 'an https URL with a public address, unless the server allows others')
    .addOption(eventsOption('only these events; default: all'))
    .option('--secret <secret>', 'the signing secret, 8 to 200 characters; default: a new one')
    .addOption(formOption('the form of deliveries; default: both'))
    .addOption(dialectOption('the names and ids in deliveries; default: primary'))
    .action((url: string, options: AddOptions) => asClient(options, (client) => add(client, url, options)))

  clientCommand(webhook, 'list', 'Lists the webhooks, newest first, without their secrets.', ['mayfly webhook list'])
    .addOption(wideOption())
    .action((options: ClientOptions) => asClient(options, (client) => list(client, options)))

  clientCommand(webhook, 'show', 'Shows a webhook, without its secret.', ['mayfly webhook show 019cebb7-9ec0-7bc1-9e4b-c7ae4e5c2a5b'])
    .argument(...id)
    .action((wanted: string, options: ClientOptions) => asClient(options, async (client) => {
      print(options, await client.mayfly.webhooks.get(await webhookId(client, wanted), { signal: client.signal }), shown)
    }, listCommand))

  clientCommand(webhook, 'update', 'Changes the URL, the events or the form of a webhook.', [
    'mayfly webhook update 019cebb7-9ec0-7bc1-9e4b-c7ae4e5c2a5b --events email.received email.deleted',
    'mayfly webhook update 2a5b --new-url https://ci.example.com/other',
  ])
    .argument(...id)
    .addOption(new RequestOption('--new-url <url>', 'where events are posted from now on, as for "add"').sets('url'))
    .addOption(eventsOption('the events that are posted from now on'))
    .addOption(formOption('the form of the deliveries of later events'))
    .action((id: string, options: UpdateOptions) => asClient(options, (client) => update(client, id, options), listCommand))

  for (const [name, isActive, description] of [
    ['enable', true, 'Switches a webhook on again, after five failed deliveries or "disable".'],
    ['disable', false, 'Switches a webhook off, and gives up its pending deliveries.'],
  ] as const) {
    clientCommand(webhook, name, description, [`mayfly webhook ${name} 019cebb7-9ec0-7bc1-9e4b-c7ae4e5c2a5b`])
      .argument(...id)
      .action((id: string, options: ClientOptions) => asClient(options, (client) => change(client, id, { isActive }, options), listCommand))
  }

  clientCommand(webhook, 'rotate-secret', 'Makes a new signing secret and prints it, only once, now. For 24 hours deliveries are signed with the '
    + 'previous one too.', ['mayfly webhook rotate-secret 019cebb7-9ec0-7bc1-9e4b-c7ae4e5c2a5b'])
    .argument(...permanentId)
    .action((id: string, options: ClientOptions) => asClient(options, (client) => rotateSecret(client, id, options), listCommand))

  clientCommand(webhook, 'test', 'Has the server post an example event to a webhook.', ['mayfly webhook test 019cebb7-9ec0-7bc1-9e4b-c7ae4e5c2a5b'])
    .argument(...id)
    .action((wanted: string, options: ClientOptions) => asClient(options, async (client) => {
      const id = await webhookId(client, wanted)
      print(options, await client.mayfly.webhooks.test(id, { signal: client.signal }), (delivery) => queued(delivery, id))
    }, listCommand))

  clientCommand(webhook, 'deliveries', 'Lists the attempts to deliver events to a webhook, newest first.', [
    'mayfly webhook deliveries 019cebb7-9ec0-7bc1-9e4b-c7ae4e5c2a5b --limit 5',
  ])
    .argument(...id)
    .addOption(limitOption())
    .addOption(wideOption())
    .action((id: string, options: ClientOptions & { limit: number }) =>
      asClient(options, (client) => deliveries(client, id, options), listCommand))

  clientCommand(webhook, 'redeliver', 'Has the server post the event of a delivery again.', [
    'mayfly webhook redeliver 019cebb7-9ec0-7bc1-9e4b-c7ae4e5c2a5b 019cebb8-0a10-7c5e-8a1f-3f1d2c4b5a69',
    'mayfly webhook redeliver 2a5b 5a69',
  ])
    .argument(...id)
    .argument('<delivery>', 'id of the delivery, as "mayfly webhook deliveries" shows it, or its beginning or end', parseId)
    .action((wanted: string, delivery: string, options: ClientOptions) => asClient(options, async (client) => {
      const id = await webhookId(client, wanted)
      const again = await client.mayfly.webhooks.redeliver(id, await deliveryId(client, id, delivery), { signal: client.signal })
      print(options, again, (delivery) => queued(delivery, id))
    }, listCommand))

  clientCommand(webhook, 'delete', 'Removes a webhook.', ['mayfly webhook delete 019cebb7-9ec0-7bc1-9e4b-c7ae4e5c2a5b'])
    .alias('remove')
    .argument(...permanentId)
    .action((wanted: string, options: ClientOptions) => asClient(options, async (client) => {
      const id = await webhookId(client, wanted)
      await client.mayfly.webhooks.delete(id, { signal: client.signal })
      print(options, { id, deleted: true }, () => `deleted ${id}`)
    }, listCommand))

  return webhook
}

interface AddOptions extends ClientOptions {
  events?: WebhookEvent[]
  secret?: string
  form?: WebhookForm
  dialect?: RawRequestOptions['dialect']
}

async function add({ mayfly, signal }: Client, url: string, options: AddOptions) {
  // the secret is made here: when the first answer is lost, the repeated one has none
  const { events = eventNames, secret = newSecret(), form, dialect } = options
  const body = { url, events, secret, form }
  const created = dialect === 'classic'
    ? await mayfly.webhooks.get((await mayfly.request<{ data: Webhook }>('POST', '/webhooks', { body, dialect, signal })).data.id, { signal })
    : await mayfly.webhooks.create(body, { signal })
  const webhook = { ...created, secret }
  print(options, webhook, () => line`${secret}`)
  if (!options.json) say(line`This secret signs the deliveries to ${webhook.url}, and is not shown again. Id ${webhook.id}.`)
}

async function list({ mayfly, signal }: Client, options: ClientOptions) {
  printRows(options, await mayfly.webhooks.list({ signal }), ['ID', 'URL', 'EVENTS', 'FORM', 'STATE', 'CREATED'], (webhook) => [
    { id: webhook.id }, webhook.url, webhook.events.join(' '), webhook.form, stateOf(webhook), webhook.createdAt,
  ])
}

interface UpdateOptions extends ClientOptions {
  newUrl?: string
  events?: WebhookEvent[]
  form?: WebhookForm
}

async function update(client: Client, wanted: string, { newUrl: url, events, form, ...options }: UpdateOptions) {
  if ((url ?? events ?? form) === undefined) throw new CliError('Nothing changes: give --new-url, --events or --form.')
  await change(client, wanted, { url, events, form }, options)
}

async function change(client: Client, wanted: string, changes: Parameters<Mayfly['webhooks']['update']>[1], options: ClientOptions) {
  print(options, await client.mayfly.webhooks.update(await webhookId(client, wanted), changes, { signal: client.signal }), shown)
}

async function rotateSecret(client: Client, wanted: string, options: ClientOptions) {
  const webhook = await client.mayfly.webhooks.rotateSecret(await webhookId(client, wanted), { signal: client.signal })
  if (!webhook.secret) throw new CliError('The secret was changed, but the answer with it was lost. Run this again to make another.')
  print(options, webhook, ({ secret }) => line`${secret ?? ''}`)
  if (!options.json) say(line`This secret signs the deliveries to ${webhook.url} from now on, and is not shown again.`)
}

const stateOf = ({ isActive, disabledReason }: Webhook) => isActive ? 'active' : `off: ${disabledReason ?? ''}`

const shown = (webhook: Webhook) => join([
  line`${webhook.id}`, line`URL      ${webhook.url}`, line`Events   ${webhook.events.join(' ')}`,
  line`Form     ${webhook.form}`, line`Dialect  ${webhook.dialect}`, line`State    ${stateOf(webhook)}`,
], '\n')

const queued = ({ event, id: delivery }: WebhookDelivery, id: string) =>
  line`${event} is on its way, delivery ${delivery}: "mayfly webhook deliveries ${id}" shows its result`

async function deliveries(client: Client, wanted: string, options: ClientOptions & { limit: number }) {
  const { mayfly, signal } = client
  const { limit } = options
  const id = await webhookId(client, wanted)
  const attempts = await takeFirst(mayfly.webhooks.deliveries(id, { limit: pageSize(limit) }, { signal }), limit)
  printFirst(options, attempts, ['ID', 'EVENT', 'ATTEMPT', 'STATUS', 'ANSWER', 'MS', 'DUE', 'ERROR'], (delivery) => [
    { id: delivery.id }, delivery.event, String(delivery.attempt), delivery.status, String(delivery.responseStatus ?? ''),
    String(delivery.durationMs ?? ''), delivery.dueAt, delivery.error ?? '',
  ])
}

const eventsOption = (description: string) => new Option('--events <event...>', description).choices(eventNames)
const formOption = (description: string) => new Option('--form <form>', description).choices(['a', 'b', 'both'] satisfies WebhookForm[])

/** Adds a missing http://, as in `localhost:8080/hooks`. */
function localUrl(text: string) {
  const url = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : {} as Partial<URL>
  if (/^https?:$/.test(protocol ?? '') && !username && !password) return url
  throw new InvalidArgumentError('It takes a URL such as http://localhost:8080/hooks/mail, without a password.')
}
