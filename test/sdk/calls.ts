import type { Mayfly, RequestOptions } from '@mayfly-mail/sdk'

export const id = '019ceb92-ea80-752e-bca9-6513269e0d37'

/** A call of each method, by its name; variants follow a comma. */
export const calls: Record<string, (sdk: Mayfly, options: RequestOptions) => Promise<unknown>> = {
  'addresses.list': (sdk, options) => sdk.addresses.list({}, options),
  'addresses.create': (sdk, options) => sdk.addresses.create({ alias: 'a' }, options),
  'addresses.get': (sdk, options) => sdk.addresses.get(id, options),
  'addresses.delete': (sdk, options) => sdk.addresses.delete(id, options),
  'addresses.activity': (sdk, options) => sdk.addresses.activity(id, {}, options),
  'addresses.setSmtpFaults': (sdk, options) => sdk.addresses.setSmtpFaults(id, [{ at: 'rcpt', code: 451 }], options),
  'addresses.getSmtpFaults': (sdk, options) => sdk.addresses.getSmtpFaults(id, options),
  'addresses.clearSmtpFaults': (sdk, options) => sdk.addresses.clearSmtpFaults(id, options),
  'addresses.createSmtpLogin': (sdk, options) => sdk.addresses.createSmtpLogin(id, options),
  'addresses.deleteSmtpLogin': (sdk, options) => sdk.addresses.deleteSmtpLogin(id, options),
  'emails.bounce': (sdk, options) => sdk.emails.bounce(id, {}, options),
  'emails.complain': (sdk, options) => sdk.emails.complain(id, options),
  'emails.forward': (sdk, options) => sdk.emails.forward(id, { forwardToId: id }, options),
  'emails.list': (sdk, options) => sdk.emails.list({ addressId: id }, options),
  'emails.get': (sdk, options) => sdk.emails.get(id, options),
  'emails.send': (sdk, options) => sdk.emails.send({ fromAddressId: id, to: 'a@example.org', subject: 's', body: 'b' }, options),
  'emails.update': (sdk, options) => sdk.emails.update(id, { isRead: true }, options),
  'emails.delete': (sdk, options) => sdk.emails.delete(id, options),
  'emails.raw': (sdk, options) => sdk.emails.raw(id, options),
  'emails.raw, as it comes': async (sdk, options) => drain(await sdk.emails.raw(id, { ...options, as: 'stream' })),
  'emails.attachment': (sdk, options) => sdk.emails.attachment(id, id, options),
  'emails.wait': (sdk, options) => sdk.emails.wait({ timeout: 5 }, options),
  'emails.waitFor': (sdk, { signal, timeoutMs }) => sdk.emails.waitFor({ signal, timeoutMs, subject: 'code' }),
  'emails.waitFor, with an expression': (sdk, { signal, timeoutMs }) => sdk.emails.waitFor({ signal, timeoutMs, after: id, from: /shop/ }),
  'inboxes.create': (sdk, options) => sdk.inboxes.create({}, options),
  'inboxes.open': (sdk, options) => sdk.inboxes.open('a@mail.localhost', options),
  'domains.list': (sdk, options) => sdk.domains.list(options),
  'domains.create': (sdk, options) => sdk.domains.create({ domain: 'example.org' }, options),
  'domains.update': (sdk, options) => sdk.domains.update(id, { catchAllId: null }, options),
  'domains.delete': (sdk, options) => sdk.domains.delete(id, options),
  'domains.verify': (sdk, options) => sdk.domains.verify(id, options),
  'forwardingAddresses.list': (sdk, options) => sdk.forwardingAddresses.list({}, options),
  'forwardingAddresses.create': (sdk, options) => sdk.forwardingAddresses.create({ email: 'a@example.org' }, options),
  'forwardingAddresses.get': (sdk, options) => sdk.forwardingAddresses.get(id, options),
  'forwardingAddresses.delete': (sdk, options) => sdk.forwardingAddresses.delete(id, options),
  'forwardingAddresses.resendVerification': (sdk, options) => sdk.forwardingAddresses.resendVerification(id, options),
  'forwardingRules.get': (sdk, options) => sdk.forwardingRules.get(id, options),
  'forwardingRules.update': (sdk, options) => sdk.forwardingRules.update(id, { isActive: true }, options),
  'analytics.get': (sdk, options) => sdk.analytics.get(options),
  'analytics.daily': (sdk, options) => sdk.analytics.daily({}, options),
  'auditLogs.list': (sdk, options) => sdk.auditLogs.list({}, options),
  'webhooks.create': (sdk, options) => sdk.webhooks.create({ url: 'https://example.org', events: ['email.received'], form: 'a' }, options),
  'webhooks.list': (sdk, options) => sdk.webhooks.list(options),
  'webhooks.get': (sdk, options) => sdk.webhooks.get(id, options),
  'webhooks.update': (sdk, options) => sdk.webhooks.update(id, { isActive: true, form: 'b' }, options),
  'webhooks.delete': (sdk, options) => sdk.webhooks.delete(id, options),
  'webhooks.test': (sdk, options) => sdk.webhooks.test(id, options),
  'webhooks.rotateSecret': (sdk, options) => sdk.webhooks.rotateSecret(id, options),
  'webhooks.deliveries': (sdk, options) => sdk.webhooks.deliveries(id, {}, options),
  'webhooks.redeliver': (sdk, options) => sdk.webhooks.redeliver(id, id, options),
  'request': (sdk, options) => sdk.request('GET', '/addresses', { ...options, dialect: 'classic' }),
  'test.createEmail': (sdk, options) => sdk.test.createEmail({ to: 'a@example.org' }, options),
}

async function drain(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  while (!(await reader.read()).done);
}
