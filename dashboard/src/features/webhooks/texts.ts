import type { WebhookEvent, WebhookForm } from '@mayfly-mail/sdk'

/** The events that a webhook may receive, each with its meaning. */
export const eventTexts: Record<WebhookEvent, string> = {
  'email.received': 'An email has arrived',
  'email.deleted': 'An email was deleted',
  'address.created': 'An address was created',
  'address.expired': 'An address has expired',
  'address.deleted': 'An address was deleted',
}

/** The forms of deliveries, each with its headers and the members of its body. */
export const formTexts: Record<WebhookForm, { label: string, description: string }> = {
  both: { label: 'Both', description: 'All members and headers, with those of Standard Webhooks' },
  a: { label: 'Form A', description: 'event, timestamp, data; with X-Service-Timestamp' },
  b: { label: 'Form B', description: 'id, type, createdAt, data; with X-Service-Event and X-Service-Delivery-ID' },
}

export const webhookTexts = {
  title: 'Webhooks',
  description: 'Mayfly posts events to a URL of yours as soon as they happen, signed with a secret.',
  list: 'Webhooks of the account',
  create: 'Create webhook',
  empty: { title: 'There are no webhooks yet', text: 'Create a webhook to let your server know of each mail that arrives.' },
  needsPlan: {
    title: 'Webhooks need the Business plan',
    text: (plan: string) => `This account has the ${plan} plan, which includes the dashboard but not webhooks. An administrator of this server can change the plan.`,
  },
  active: 'Active',
  disabled: 'Disabled',
  paused: 'Paused',
  created: 'Created',
  events: 'Events',
  allAddresses: 'Events of all addresses',
  someAddresses: (count: number) => count === 1 ? 'Events of 1 address' : `Events of ${count} addresses`,
  formAlone: (form: string) => `Form ${form.toUpperCase()}`,
  classic: 'Classic dialect',
  form: {
    url: 'URL',
    urlHint: 'A public https address that accepts POST requests',
    urlMissing: 'Give the URL of your endpoint, such as https://ci.example.com/mail.',
    events: 'Events',
    eventsMissing: 'Choose at least one event.',
    addresses: 'Addresses',
    addressesHint: 'Only events of these addresses. Without any, those of all.',
    newestAddresses: (shown: number) => `The ${shown} newest active addresses are listed.`,
    addressesPlaceholder: 'All addresses',
    noAddress: 'No such address',
    form: 'Form of deliveries',
    save: 'Save',
  },
  secret: {
    title: 'Signing secret',
    once: 'Copy the secret now. It is shown this once. Your server verifies deliveries with it.',
    label: 'Secret',
    copy: 'Copy the secret',
    missing: 'The secret was lost on its way. Rotate the secret of this webhook to get another one.',
    done: 'Done',
  },
  actions: {
    test: 'Send test event',
    testSent: 'The test event is on its way',
    edit: 'Edit',
    enable: 'Enable',
    enabled: 'The webhook is enabled',
    disable: 'Disable',
    rotate: 'Rotate secret',
    delete: 'Delete',
  },
  saved: 'The webhook is saved',
  disabling: {
    title: 'Disable this webhook?',
    text: 'It receives no events until you enable it again. Deliveries that are waiting are given up.',
    done: 'The webhook is disabled',
  },
  rotating: {
    title: 'Rotate the secret?',
    text: 'A new secret signs deliveries from now on. For 24 hours, the old secret signs them too.',
  },
  deleting: {
    title: 'Delete this webhook?',
    text: 'It receives no more events, and its deliveries are removed. This cannot be undone.',
    done: 'The webhook is deleted',
  },
} as const

export const deliveryTexts = {
  title: 'Deliveries',
  more: 'Show older deliveries',
  empty: 'No event was delivered yet. Send a test event to see whether your endpoint answers.',
  statuses: { pending: 'Pending', succeeded: 'Succeeded', failed: 'Failed' } as Record<string, string>,
  attempt: (attempt: number) => `Attempt ${attempt}`,
  noAnswer: 'No answer',
  duration: (durationMs: number) => `${durationMs} ms`,
  due: 'Due',
  error: 'Error',
  eventId: 'Event',
  deliveryId: 'Delivery',
  requestHeaders: 'Request headers',
  signatures: 'Signatures are not kept.',
  copyHeaders: 'Copy the request headers',
  requestBody: 'Request body',
  copyRequest: 'Copy the request body',
  answer: (status: number | null) => status === null ? 'Answer' : `Answer, status ${status}`,
  copyAnswer: 'Copy the answer',
  emptyAnswer: 'without a body',
  redeliver: 'Redeliver',
  redelivered: 'The event is delivered again',
} as const
