export interface Client {
  name: string
  /** What a program imports. */
  imported: string
  /** An expression: the client, at the server `url`, which answers one list. */
  list: string
  /** Run before the call, for what the client cannot be told. */
  prepare?: string
  /** What its API answers to that, with nothing in it. */
  answer: object
}

/** The SDK, and clients of other services of the kind, each asked for a list that it has. */
export const clients: Client[] = [
  {
    name: '@mayfly-mail/sdk',
    imported: '{ Mayfly }',
    list: `new Mayfly({ apiKey: 'svc_test_key', baseUrl: url }).addresses.list()`,
    answer: { data: { addresses: [], total: 0, limit: 50, offset: 0, hasMore: false } },
  },
  {
    name: 'resend',
    imported: '{ Resend }',
    list: `new Resend('re_key', { baseUrl: url }).emails.list().then(({ error }) => { if (error) throw error })`,
    answer: { object: 'list', has_more: false, data: [] },
  },
  {
    name: 'mailosaur',
    imported: '{ default: Mailosaur }',
    list: `new Mailosaur('key', url + '/').servers.list()`,
    prepare: `const https = await import('node:https')
https.globalAgent.defaultPort = new URL(url).port`, // it passes the host on, not the port
    answer: { items: [] },
  },
  {
    name: 'mailslurp-client',
    imported: '{ MailSlurp }',
    list: `new MailSlurp({ apiKey: 'key', basePath: url }).getInboxes()`,
    answer: [],
  },
]
