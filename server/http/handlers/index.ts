import { addresses } from './addresses.ts'
import { emails } from './emails.ts'
import type { Handlers } from './handler.ts'
import { unbuilt } from './unbuilt.ts'

export const handlers: Handlers = { ...addresses, ...emails, ...unbuilt }
