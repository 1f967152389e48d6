import type { Scope } from '@mayfly-mail/sdk'
import { translated } from '../../language.ts'

/** The scopes that a key may have, each with what it allows, in the order of the page. */
export const scopeTexts = translated<Record<Scope, string>>('scopeTexts', {
  'emails:read': 'Read addresses and emails, attachments included',
  'emails:write': 'Create and delete addresses; send, mark and delete emails',
  'analytics:read': 'Read counters and the audit log',
  'domains:read': 'List custom domains',
  'domains:manage': 'Add, verify and delete custom domains',
  'webhooks:manage': 'Create, list, change and delete webhooks',
  'forwarding:manage': 'Change forwarding addresses and rules',
  'keys:manage': 'Create and revoke keys that can do no more than this one',
})

export const keyTexts = translated('keyTexts', {
  forOwners: 'Owners of the account create and revoke its keys.',
  title: 'API keys',
  description: 'Programs use a key to call the API. A key has the scopes that you choose, and works until you revoke it.',
  list: 'API keys of the account',
  create: 'Create key',
  revoke: 'Revoke',
  scopes: 'Scopes',
  prefix: (prefix: string | null) => prefix ? `${prefix}…` : 'The beginning of this key was not stored',
  created: 'Created',
  lastUsed: 'Last used',
  notUsed: 'Not used yet',
  classic: 'Classic dialect',
  empty: { title: 'There are no keys yet', text: 'Create a key to call the API from your tests, with the SDK or with curl.' },
  needsPlan: {
    title: 'API keys need the Business plan',
    text: (plan: string) => `This account has the ${plan} plan, which includes the dashboard but not the API. An administrator of this server can change the plan.`,
  },
  form: {
    name: 'Name',
    nameHint: 'Tells you where the key is used, such as “CI”',
    nameMissing: 'Give the key a name.',
    scopesHint: 'Choose the least that the program needs.',
    scopesMissing: 'Choose at least one scope.',
    mode: 'Data',
    live: 'Live data',
    liveHint: 'Receives and sends real mail',
    test: 'Test data',
    testHint: 'Apart from live data; can simulate mail and faults, and sends nothing',
    dialect: 'Dialect',
    primary: 'Primary',
    primaryHint: 'The API as its reference shows it',
    classic: 'Classic',
    classicHint: 'For programs that were written for the variants',
  },
  shown: {
    title: 'Your new key',
    once: 'Copy the key now. It is shown this once: the server stores only a hash of it.',
    key: 'Key',
    copyKey: 'Copy the key',
    curl: 'Try it with curl',
    copyCurl: 'Copy the curl command',
    sdk: 'Use it with the SDK',
    copySdk: 'Copy the lines for the SDK',
    missing: 'The value was lost on its way. Revoke this key and create another one.',
    done: 'Done',
  },
  revoking: {
    title: (name: string) => `Revoke ${name}?`,
    text: 'The next request with this key is refused. A revoked key cannot be restored.',
    done: (name: string) => `${name} is revoked`,
  },
})
