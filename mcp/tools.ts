import { NotFoundError, TimeoutError } from '@mayfly-mail/sdk'
import type { AddressCreate, CodeDetail, Email, EmailListQuery, EmailSend, EmailSummary, EmailWarning, Link, Mayfly } from '@mayfly-mail/sdk'
import { untrustedNotice as notice } from './catalog.ts'
import type { ToolName } from './catalog.ts'
import { limitsOf } from './code-limits.ts'
import { ToolError } from './errors.ts'
import { picks } from './picks.ts'
import { defaultListed, defaultWaitSeconds } from './schemas.ts'
import { markUntrusted } from './untrusted.ts'

/** What a tool works with. */
export interface ToolCall {
  mayfly: Mayfly
  /** Aborted when the client cancels the call or goes away. */
  signal: AbortSignal
  /** Tells the client how long a wait has lasted. */
  report(progress: { progress: number, total: number, message: string }): void
}

interface ToolResult {
  /** What the model reads. */
  text: string
  /** What programs read: its schema is in `schemas.ts`. */
  data: object
}

interface WaitInput {
  inbox: string
  from?: string
  subject?: string
  body?: string
  after?: string
  timeoutSeconds?: number
}

interface ListInput {
  inbox?: string
  type?: 'received' | 'sent'
  limit?: number
  offset?: number
}

type SendInput = Pick<EmailSend, 'cc' | 'body' | 'bodyHtml'>

/** Maximum characters of a body, and numbers of links, of warnings and of attachments, that a model gets. */
const maxBodyLength = 20_000
const maxLinks = 50
const maxWarnings = 50
const maxAttachments = 50
/** Milliseconds between two reports of a wait. */
const reportMs = 5_000
/** Maximum mails without the awaited part that an error lists. */
const maxArrived = 5

/** Each tool, as a function of its input. The input has been compared with its schema. */
export const tools: Record<ToolName, (call: ToolCall, input: never) => Promise<ToolResult>> = {
  async 'create_inbox'({ mayfly, signal }, input: Pick<AddressCreate, 'alias' | 'domain' | 'expiresIn' | 'allowedSenders'>) {
    const created = await mayfly.addresses.create(input, { signal })
    return { text: `Created ${created.address}. It receives mail until ${created.expiresAt.toISOString()}.`, data: pick(created, picks.AddressCreated) }
  },

  async 'wait_for_code'(call, input: WaitInput) {
    const email = await waitForEmail(call, input, 'a code', ({ codes }) => codes.length > 0)
    const { codes, codeDetails, warnings } = forModel(email)
    const [code] = codes
    const { expiresInSeconds = null, boundTo = null } = codeDetails.find((detail) => detail.code === code) ?? {}
    return {
      text: `The code is ${code}.\n${showWarnings(warnings)}${markUntrusted(`${heading(email)}\n${showCodes(codeDetails)}`)}`,
      data: { notice, code, expiresInSeconds, boundTo, codes, ...foundIn(email), warnings },
    }
  },

  async 'wait_for_link'(call, { text, url, ...input }: WaitInput & { text?: string, url?: string }) {
    const find = ({ links }: Email) => links.find((link) => hasText(link.text, text) && hasText(link.url, url))
    const email = await waitForEmail(call, input, text || url ? 'such a link' : 'a link', (each) => find(each) !== undefined)
    const link = find(email)!
    const warnings = email.warnings.filter((warning) => warning.url === null || warning.url === link.url).slice(0, maxWarnings)
    return {
      text: `The link is in the second line of the mail below.\n${showWarnings(warnings)}${
        markUntrusted(`${heading(email)}\n${showLink(link, warnings)}`)}`,
      data: { notice, ...link, ...foundIn(email), warnings },
    }
  },

  async 'wait_for_email'(call, input: WaitInput) {
    const email = await waitForEmail(call, input, 'such a text')
    return { text: showEmail(email), data: { notice, emailId: email.id, email: forModel(email) } }
  },

  async 'list_emails'(call, { inbox, ...query }: ListInput) {
    return listEmails(call, inbox, query)
  },

  async 'search_emails'(call, { inbox, query, ...rest }: ListInput & { query: string }) {
    return listEmails(call, inbox, { ...rest, q: query })
  },

  async 'read_email'({ mayfly, signal }, { emailId }: { emailId: string }) {
    const email = await mayfly.emails.get(emailId, { signal })
    return { text: showEmail(email), data: { notice, email: forModel(email) } }
  },

  async 'send_email'(call, { inbox, ...email }: SendInput & { inbox: string, to: string, subject: string }) {
    return sendEmail(call, { ...email, fromAddressId: await idOf(call, inbox) })
  },

  async 'reply_to_email'(call, { emailId, ...email }: SendInput & { emailId: string }) {
    return sendEmail(call, { ...email, inReplyToId: emailId })
  },

  async 'delete_inbox'(call, { inbox }: { inbox: string }) {
    const deleted = await call.mayfly.addresses.delete(await idOf(call, inbox), { signal: call.signal })
    return { text: 'The inbox and its mail are deleted.', data: pick(deleted, picks.Deleted) }
  },
}

const idForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The id of an inbox. A key without the scope for reading can give ids alone. */
async function idOf({ mayfly, signal }: ToolCall, inbox: string): Promise<string> {
  if (!inbox.includes('@')) {
    if (idForm.test(inbox)) return inbox
    throw new ToolError('INVALID_REQUEST: inbox: must be an email address or an id.')
  }
  try {
    return (await mayfly.inboxes.open(inbox, { signal })).id
  } catch (error) {
    throw error instanceof NotFoundError ? new ToolError(`NOT_FOUND: ${error.message} create_inbox creates one.`) : error
  }
}

/**
 * Waits for the oldest mail of an inbox that matches all filters. A call keeps no state, as any node may answer the next one: a wait
 * starts at the first mail of the inbox, or after the email given as `after`.
 */
async function waitForEmail(call: ToolCall, input: WaitInput, wanted: string, match?: (email: Email) => boolean): Promise<Email> {
  const { mayfly, signal } = call
  const { inbox, after = new Date(0), timeoutSeconds = defaultWaitSeconds, ...filters } = input
  const addressId = await idOf(call, inbox)
  let progress = 0
  const report = () => call.report({ progress, total: timeoutSeconds, message: `Waiting for mail to ${inbox}` })
  report()
  const reports = setInterval(() => {
    progress += reportMs / 1000
    report()
  }, reportMs)
  try {
    return await mayfly.emails.waitFor({ ...filters, addressId, after, match, timeoutMs: timeoutSeconds * 1000, signal })
  } catch (error) {
    throw error instanceof TimeoutError ? timedOut(error, wanted, inbox, timeoutSeconds) : error
  } finally {
    clearInterval(reports)
  }
}

function timedOut({ arrived }: TimeoutError, wanted: string, inbox: string, timeoutSeconds: number): ToolError {
  const again = `No mail with ${wanted} that fits came to ${inbox} in ${timeoutSeconds} seconds. Call again to go on waiting, or make the website send it again.`
  if (arrived.length === 0) return new ToolError(again)
  const others = arrived.slice(-maxArrived).map((email) => `${email.id} ${heading(email)}`)
  return new ToolError(`${again}\nThese came instead; read_email shows one by its id.\n${markUntrusted(others.join('\n'))}`)
}

async function sendEmail({ mayfly, signal }: ToolCall, email: EmailSend): Promise<ToolResult> {
  const sent = await mayfly.emails.send(email, { signal })
  return { text: `The mail is queued as ${sent.id}. read_email shows its status.`, data: pick(sent, picks.EmailReference) }
}

async function listEmails(call: ToolCall, inbox: string | undefined, query: EmailListQuery): Promise<ToolResult> {
  const addressId = inbox === undefined ? undefined : await idOf(call, inbox)
  const { data, total, hasMore } = await call.mayfly.emails.list({ limit: defaultListed, ...query, addressId }, { signal: call.signal })
  const lines = data.map((email) => `${email.id} ${email.receivedAt.toISOString()} ${heading(email)}\n${codesOf(email)}${email.preview}`)
  const count = total === 0 ? 'There is no such mail.' : `${data.length} of ${total} emails, newest first.`
  return {
    text: data.length === 0 ? count : `${count}\n${markUntrusted(lines.join('\n'))}`,
    data: { notice, emails: data.map((email) => pick(email, picks.EmailSummary)), total, hasMore },
  }
}

const foundIn = ({ id, from, subject, receivedAt }: Email) => ({ emailId: id, from, subject, receivedAt })

const hasText = (text: string, part = '') => text.toLowerCase().includes(part.toLowerCase())

/** One line. */
const heading = ({ from, fromName, subject }: Pick<EmailSummary, 'from' | 'fromName' | 'subject'>) =>
  `From: ${fromName ? `${fromName} <${from}>` : from} Subject: ${subject || '(none)'}`

const codesOf = ({ codes }: Pick<EmailSummary, 'codes'>) => codes.length === 0 ? '' : `Codes: ${codes.join(' ')}\n`

/** "https://evil.example/login Sign in at bank.example (leads to evil.example, not to bank.example)" */
function showLink({ url, text }: Link, warnings: EmailWarning[]): string {
  const other = warnings.find((warning) => warning.type === 'otherHost' && warning.url === url)
  return `${text === url ? url : `${url} ${text}`}${other ? ` (leads to ${other.host}, not to ${other.namedHost})` : ''}`
}

/** "Codes: 482913 (valid for 10 minutes, only at shop.example) 771204" */
const showCodes = (details: CodeDetail[]) => `Codes: ${details.map((detail) => {
  const limits = limitsOf(detail)
  return limits ? `${detail.code} (${limits})` : detail.code
}).join(' ')}`

/** A line for each kind of warning, above those of the mail: so it has no text of it, not even the name of a host. */
function showWarnings(warnings: EmailWarning[]): string {
  const kinds = new Set(warnings.map(({ type }) => type))
  return [...kinds].map((type) => `Warning: ${warningTexts[type] ?? type}.\n`).join('')
}
const warningTexts: Record<string, string> = {
  hiddenText: 'the HTML hides text from its reader',
  invisibleCharacters: 'the mail has text in characters that are not seen',
  reorderedText: 'letters are shown in another order than they are written in',
  otherCode: 'the HTML, which a person sees, does not show the code of the text',
  otherHost: 'a link says another host than it leads to',
}

/** An email as a model reads it. */
export function showEmail(email: Email): string {
  const { id, to, receivedAt, bodyText, codeDetails, links, warnings, attachments, isTruncated } = forModel(email)
  return `Email ${id}, ${receivedAt.toISOString()}${isTruncated ? ', cut' : ''}.\n${showWarnings(warnings)}${markUntrusted([
    `${heading(email)} To: ${to}`,
    ...codeDetails.length > 0 ? [showCodes(codeDetails)] : [],
    ...links.length > 0 ? ['Links:', ...links.map((link) => showLink(link, email.warnings))] : [],
    ...attachments.length > 0 ? [`Attachments: ${attachments.map(({ filename }) => filename).join(', ')}`] : [],
    '', bodyText,
  ].join('\n'))}`
}

/** The members of an email that a model gets, with long ones cut. */
function forModel(email: Email) {
  const { bodyText, links, warnings, attachments } = email
  return {
    ...pick(email, picks.Email),
    bodyText: bodyText.slice(0, maxBodyLength),
    links: links.slice(0, maxLinks),
    warnings: warnings.slice(0, maxWarnings),
    attachments: attachments.slice(0, maxAttachments),
    isTruncated: bodyText.length > maxBodyLength || links.length > maxLinks || warnings.length > maxWarnings
      || attachments.length > maxAttachments,
  }
}

function pick<T extends object, Name extends keyof T>(value: T, names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<T, Name>
}
