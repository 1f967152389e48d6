import { expect } from 'chai'
import { diagnose } from '../../cli/doctor/diagnose.ts'
import { openTestApp } from '../support/app.ts'
import { createAccount } from '../support/store/accounts.ts'
import { createAddress } from '../support/store/addresses.ts'
import { useDoctorWorld } from './doctor-world.ts'

describe('CLI: doctor, for reserved aliases', function () {
  this.timeout(60_000)
  const { local } = useDoctorWorld()

  it('names the accounts that hold one, except that of the operator', async () => {
    await using app = await openTestApp()
    const [owner, guest] = [await createAccount(app, 'owner@mail.localhost'), await createAccount(app, 'guest@example.org')]
    await createAddress(app, guest, { alias: 'con-cierge' })
    await createAddress(app, guest, { alias: 'concierges' })
    await createAddress(app, owner, { alias: 'frontdesk' })
    const deleted = await app.newKey()
    const { body } = await app.api('POST', '/addresses', { key: deleted, body: { alias: 'con.cierge' } })
    await app.api('DELETE', `/addresses/${body.data.id}`, { key: deleted })
    const variables = { ...local(), MAYFLY_DATABASE: app.app.config.database }
    const findings = async (env: Record<string, string>) => (await diagnose({ ...variables, ...env })).filter(({ name }) => name === 'reserved-aliases')
    expect(await findings({})).to.deep.equal([])
    expect(await findings({ MAYFLY_RESERVED_ALIASES: 'concierge,front-desk' })).to.deep.equal([{
      name: 'reserved-aliases', status: 'warning',
      found: 'con-cierge@mail.localhost is an address of guest@example.org until 2026-04-13T09:00:00.000Z, and names the operator of this server',
      advice: 'Ask the account to delete it. It can be issued by no account any more.',
    }])
  })
})
