export interface Client {
  name: string
  /** The module that a program imports. */
  imported: string
  /** An expression: the client, at the server `url`, which answers one list. */
  list: string
  /** Code before the call, for settings that the client has no option for. */
  prepare?: string
  /** The answer of its API to that call: an empty list. */
  answer: object
}

/** The SDK, and clients of similar services, each with a call that returns a list. */
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
https.globalAgent.defaultPort = new URL(url).port`, // the client takes only the host of the URL
    answer: { items: [] },
  },
  {
    name: 'mailslurp-client',
    imported: '{ MailSlurp }',
    list: `new MailSlurp({ apiKey: 'key', basePath: url }).getInboxes()`,
    answer: [],
  },
]
