import type { Engine } from '../engine.ts'
import * as m0001 from './0001-accounts-addresses-mail.ts'
import * as m0002 from './0002-mail-out.ts'
import * as m0003 from './0003-events.ts'
import * as m0004 from './0004-search.ts'
import * as m0005 from './0005-idempotency-keys.ts'
import * as m0006 from './0006-search-attempts.ts'
import * as m0007 from './0007-audit-counts.ts'
import * as m0008 from './0008-listings.ts'
import * as m0009 from './0009-account-bytes.ts'
import * as m0010 from './0010-active-addresses.ts'
import * as m0011 from './0011-stored-answers.ts'
import * as m0012 from './0012-api-key-version.ts'
import * as m0013 from './0013-key-uses.ts'
import * as m0014 from './0014-deleted-accounts.ts'
import * as m0015 from './0015-sessions.ts'
import * as m0016 from './0016-administration.ts'
import * as m0017 from './0017-unread-counts.ts'
import * as m0018 from './0018-nodes.ts'
import * as m0019 from './0019-shared-state.ts'
import * as m0020 from './0020-logged-call-counts.ts'
import * as m0021 from './0021-planner-statistics.ts'
import * as m0022 from './0022-search-keys.ts'
import * as m0023 from './0023-search-bitmaps.ts'
import * as m0024 from './0024-commit-records.ts'
import * as m0025 from './0025-mail-counts.ts'
import * as m0026 from './0026-hidden-text.ts'
import * as m0027 from './0027-mail-numbers.ts'
import * as m0028 from './0028-search-numbers.ts'
import * as m0029 from './0029-smtp-logins.ts'
import * as m0030 from './0030-catch-all.ts'
import * as m0031 from './0031-smtp-activity.ts'
import * as m0032 from './0032-dialects.ts'
import * as m0033 from './0033-members.ts'
import * as m0034 from './0034-share-links.ts'
import * as m0035 from './0035-sender-lists.ts'
import * as m0036 from './0036-bound-keys.ts'
import * as m0037 from './0037-code-details.ts'
import * as m0038 from './0038-sources.ts'
import * as m0039 from './0039-account-moves.ts'

/** By name. A released migration is never edited. */
const files = {
  '0001-accounts-addresses-mail': m0001,
  '0002-mail-out': m0002,
  '0003-events': m0003,
  '0004-search': m0004,
  '0005-idempotency-keys': m0005,
  '0006-search-attempts': m0006,
  '0007-audit-counts': m0007,
  '0008-listings': m0008,
  '0009-account-bytes': m0009,
  '0010-active-addresses': m0010,
  '0011-stored-answers': m0011,
  '0012-api-key-version': m0012,
  '0013-key-uses': m0013,
  '0014-deleted-accounts': m0014,
  '0015-sessions': m0015,
  '0016-administration': m0016,
  '0017-unread-counts': m0017,
  '0018-nodes': m0018,
  '0019-shared-state': m0019,
  '0020-logged-call-counts': m0020,
  '0021-planner-statistics': m0021,
  '0022-search-keys': m0022,
  '0023-search-bitmaps': m0023,
  '0024-commit-records': m0024,
  '0025-mail-counts': m0025,
  '0026-hidden-text': m0026,
  '0027-mail-numbers': m0027,
  '0028-search-numbers': m0028,
  '0029-smtp-logins': m0029,
  '0030-catch-all': m0030,
  '0031-smtp-activity': m0031,
  '0032-dialects': m0032,
  '0033-members': m0033,
  '0034-share-links': m0034,
  '0035-sender-lists': m0035,
  '0036-bound-keys': m0036,
  '0037-code-details': m0037,
  '0038-sources': m0038,
  '0039-account-moves': m0039,
}

/** Forward only, in this order. */
export const migrations: { name: string, statements: (engine: Engine) => string[] }[] =
  Object.entries(files).map(([name, { statements }]) => ({ name, statements }))
