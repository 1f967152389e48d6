import { expect } from 'chai'
import { findCapturedMail, listCapturedMails } from '../../server/store/outgoing/captured-mails.ts'
import { listManagedAccounts } from '../../server/store/accounts/managed-accounts.ts'
import { openTestApp } from '../support/app.ts'
import { queryPlans, recordSelects } from '../support/store/queries.ts'

describe('Administration: plans of SQLite', () => {
  it('read by indexes: no query scans a table', async () => {
    const recording = recordSelects()
    try {
      await using app = await openTestApp()
      const { db } = app.app
      await listManagedAccounts(db, { search: 'user', limit: 20 })
      await listCapturedMails(db, { limit: 20 })
      await findCapturedMail(db, app.account)
      recording.isRecording = false
      const plans = queryPlans(app, [...recording.selects].filter((sql) => /email\)? like|'captured'/.test(sql)))
      expect(plans.length).to.be.at.least(3)
      const details = JSON.stringify(plans)
      expect(details).to.not.match(/SCAN (accounts|deliveries|messages|totals|account_bytes|emails)\b/)
      expect(details).to.include('accounts_present').and.include('deliveries_captured')
    } finally {
      recording.stop()
    }
  })
})
