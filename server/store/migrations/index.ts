import type { Engine } from '../engine.ts'
import * as first from './0001-accounts-addresses-mail.ts'
import * as second from './0002-mail-out.ts'
import * as third from './0003-events.ts'
import * as fourth from './0004-search.ts'
import * as fifth from './0005-idempotency-keys.ts'
import * as sixth from './0006-search-attempts.ts'
import * as seventh from './0007-audit-counts.ts'
import * as eighth from './0008-listings.ts'
import * as ninth from './0009-account-bytes.ts'
import * as tenth from './0010-active-addresses.ts'
import * as eleventh from './0011-stored-answers.ts'
import * as twelfth from './0012-api-key-version.ts'
import * as thirteenth from './0013-key-uses.ts'
import * as fourteenth from './0014-deleted-accounts.ts'
import * as fifteenth from './0015-sessions.ts'
import * as sixteenth from './0016-administration.ts'
import * as seventeenth from './0017-unread-counts.ts'
import * as eighteenth from './0018-nodes.ts'
import * as nineteenth from './0019-shared-state.ts'
import * as twentieth from './0020-logged-call-counts.ts'
import * as twentyFirst from './0021-planner-statistics.ts'
import * as twentySecond from './0022-search-keys.ts'
import * as twentyThird from './0023-search-bitmaps.ts'
import * as twentyFourth from './0024-commit-records.ts'
import * as twentyFifth from './0025-mail-counts.ts'
import * as twentySixth from './0026-hidden-text.ts'

/** Forward only, in this order; a released migration is never edited. */
export const migrations: { name: string, statements: (engine: Engine) => string[] }[] = [
  { name: '0001-accounts-addresses-mail', statements: first.statements },
  { name: '0002-mail-out', statements: second.statements },
  { name: '0003-events', statements: third.statements },
  { name: '0004-search', statements: fourth.statements },
  { name: '0005-idempotency-keys', statements: fifth.statements },
  { name: '0006-search-attempts', statements: sixth.statements },
  { name: '0007-audit-counts', statements: seventh.statements },
  { name: '0008-listings', statements: eighth.statements },
  { name: '0009-account-bytes', statements: ninth.statements },
  { name: '0010-active-addresses', statements: tenth.statements },
  { name: '0011-stored-answers', statements: eleventh.statements },
  { name: '0012-api-key-version', statements: twelfth.statements },
  { name: '0013-key-uses', statements: thirteenth.statements },
  { name: '0014-deleted-accounts', statements: fourteenth.statements },
  { name: '0015-sessions', statements: fifteenth.statements },
  { name: '0016-administration', statements: sixteenth.statements },
  { name: '0017-unread-counts', statements: seventeenth.statements },
  { name: '0018-nodes', statements: eighteenth.statements },
  { name: '0019-shared-state', statements: nineteenth.statements },
  { name: '0020-logged-call-counts', statements: twentieth.statements },
  { name: '0021-planner-statistics', statements: twentyFirst.statements },
  { name: '0022-search-keys', statements: twentySecond.statements },
  { name: '0023-search-bitmaps', statements: twentyThird.statements },
  { name: '0024-commit-records', statements: twentyFourth.statements },
  { name: '0025-mail-counts', statements: twentyFifth.statements },
  { name: '0026-hidden-text', statements: twentySixth.statements },
]
