import type { ToolName } from './catalog.ts'
import { untrustedNotice } from './catalog.ts'
import { shapes } from './shapes.gen.ts'

interface ObjectSchema {
  type: 'object'
  properties: Record<string, object>
  required: readonly string[]
}

/** Maximum seconds of a wait: as long as one of the API. */
const maxWaitSeconds = 60
export const defaultWaitSeconds = 30
export const defaultListed = 20

const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: 255, description })
const inbox = { ...text('The email address of the inbox, or its id.'), maxLength: 354 }
const emailId = { ...shapes.EmailReference.properties.id }
const after = { ...emailId, description: 'Only mail after this one: the id of an email. Default: all mail of the inbox.' }
const from = text("Text in the sender's address or name, in any case.")
const subject = text('Text in the subject, in any case.')
/** Without null, since clients of models differ in types with several names. */
const allowedSenders = { ...shapes.AddressCreate.properties.allowedSenders, type: 'array' }
const limit = { type: 'integer', minimum: 1, maximum: 50, default: defaultListed, description: 'Maximum number of emails.' }
const offset = { type: 'integer', minimum: 0, maximum: 10_000, default: 0, description: 'Number of emails to skip, for the next page.' }
const timeoutSeconds = {
  type: 'integer', minimum: 1, maximum: maxWaitSeconds, default: defaultWaitSeconds, description: 'Seconds to wait.',
}
const waitInput = { inbox, from, subject, after, timeoutSeconds }

const object = (properties: Record<string, object>, required = Object.keys(properties)): ObjectSchema & { additionalProperties: false } =>
  ({ type: 'object', properties, required, additionalProperties: false })

/** A result with texts of mail, beside which the notice stands. */
const ofMail = (properties: Record<string, object>) =>
  object({ notice: { type: 'string', const: untrustedNotice, description: 'How to read the texts of mail.' }, ...properties })

/** Of the mail that a wait has found. */
const found = {
  emailId, from: shapes.Email.properties.from, subject: shapes.Email.properties.subject, receivedAt: shapes.Email.properties.receivedAt,
}
const isTruncated = { type: 'boolean', description: 'Whether the text, the links, the warnings or the attachments were cut.' }
const { warnings } = shapes.Email.properties
const email = object({ ...shapes.Email.properties, isTruncated })
const list = ofMail({
  emails: { type: 'array', items: object(shapes.EmailSummary.properties) },
  total: { type: 'integer', minimum: 0, description: 'Number of emails on all pages; of a search at most 1,000.' },
  hasMore: { type: 'boolean', description: 'Whether there is a next page.' },
})
const { cc, body, bodyHtml } = shapes.EmailSend.properties
const sent = object({ ...shapes.EmailReference.properties })

/** The JSON Schemas of what each tool takes and returns. */
export const schemas: Record<ToolName, { input: ObjectSchema, output: ObjectSchema }> = {
  'create_inbox': {
    input: object({ ...shapes.AddressCreate.properties, allowedSenders }, []),
    output: object(shapes.AddressCreated.properties),
  },
  'wait_for_code': {
    input: object(waitInput, ['inbox']),
    output: ofMail({
      code: { type: 'string', description: 'The most likely code.' }, ...shapes.CodeDetail.properties, codes: shapes.Email.properties.codes,
      ...found, warnings,
    }),
  },
  'wait_for_link': {
    input: object({ ...waitInput, text: text('Text in the text of the link, in any case.'), url: text('Text in its URL, in any case.') }, ['inbox']),
    output: ofMail({
      url: { type: 'string', description: 'The URL of the link.' }, host: { type: 'string', description: 'The host that it leads to.' },
      text: { type: 'string', description: 'Its text.' }, ...found, warnings,
    }),
  },
  'wait_for_email': {
    input: object({ ...waitInput, body: text('Text in the body, in any case.') }, ['inbox']),
    output: ofMail({ emailId, email }),
  },
  'list_emails': {
    input: object({ inbox, type: { type: 'string', enum: ['received', 'sent'], description: 'Default: both.' }, limit, offset }, []),
    output: list,
  },
  'search_emails': {
    input: object({ query: { ...text('The words and operators.'), maxLength: 500 }, inbox, limit, offset }, ['query']),
    output: list,
  },
  'read_email': {
    input: object({ emailId }),
    output: ofMail({ email }),
  },
  'send_email': {
    input: object({ inbox, ...shapes.EmailSend.properties }, ['inbox', 'to', 'subject', 'body']),
    output: sent,
  },
  'reply_to_email': {
    input: object({ emailId, cc, body, bodyHtml }, ['emailId', 'body']),
    output: sent,
  },
  'delete_inbox': {
    input: object({ inbox }),
    output: object(shapes.Deleted.properties),
  },
}
