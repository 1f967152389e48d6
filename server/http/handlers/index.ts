import { account } from './account.ts'
import { addresses } from './addresses.ts'
import { administration } from './administration.ts'
import { analytics } from './analytics.ts'
import { apiKeys } from './api-keys.ts'
import { domains } from './domains.ts'
import { emails } from './emails.ts'
import { events } from './events.ts'
import { forwardingAddresses } from './forwarding-addresses.ts'
import { forwardingRules } from './forwarding-rules.ts'
import type { Handlers } from './handler.ts'
import { members } from './members.ts'
import { sessions } from './sessions.ts'
import { shareLinks } from './share-links.ts'
import { signInLinks } from './sign-in-links.ts'
import { testMode } from './test-mode.ts'
import { webhooks } from './webhooks.ts'

export const handlers: Handlers = {
  ...addresses, ...analytics, ...domains, ...emails, ...events, ...forwardingAddresses, ...forwardingRules, ...webhooks, ...testMode,
  ...signInLinks, ...sessions, ...account, ...members, ...apiKeys, ...administration, ...shareLinks,
}
