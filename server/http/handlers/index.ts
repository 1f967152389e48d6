import { addresses } from './addresses.ts'
import { domains } from './domains.ts'
import { emails } from './emails.ts'
import { forwardingAddresses } from './forwarding-addresses.ts'
import { forwardingRules } from './forwarding-rules.ts'
import type { Handlers } from './handler.ts'
import { unbuilt } from './unbuilt.ts'

export const handlers: Handlers = { ...addresses, ...domains, ...emails, ...forwardingAddresses, ...forwardingRules, ...unbuilt }
