import { expect } from 'chai'
import { mtaStsAt } from '../../cli/doctor/mail-tls.ts'
import { readConfig } from '../../server/config/config.ts'
import { ownPolicy } from '../../server/config/mta-sts-policy.ts'
import { newPair } from '../support/certificates.ts'
import { runCheck } from '../support/doctor-check.ts'
import { openPolicyServer, policyText, trust, withText } from '../support/policy-server.ts'
import type { PolicyServer } from '../support/policy-server.ts'
import { domain, host, useDoctorWorld } from './doctor-world.ts'
import type { Variables } from './run.ts'

describe('CLI: doctor, TLS of mail', () => {
  const { world, inPublic, finding } = useDoctorWorld()
  const record = `_mta-sts.${domain}`
  const url = `https://mta-sts.${domain}/.well-known/mta-sts.txt`

  describe('the MTA-STS record', () => {
    it('is optional without MAYFLY_MTA_STS', async () => {
      expect(await finding('mta-sts', inPublic())).to.deep.equal({
        name: 'mta-sts', status: 'ok',
        found: `${domain} has no MTA-STS policy, so someone on its way can have mail sent without TLS`,
        advice: 'Set MAYFLY_MTA_STS=testing, later enforce, and run this again.',
      })
    })

    it('is shown to be copied, with the id of the policy', async () => {
      const variables = { ...inPublic(), MAYFLY_MTA_STS: 'testing' }
      const { id } = ownPolicy(readConfig(variables))!
      expect(id).to.match(/^[a-z0-9]{1,32}$/).and.not.equal(ownPolicy(readConfig({ ...variables, MAYFLY_MTA_STS: 'enforce' }))!.id)
      expect(await finding('mta-sts', variables)).to.include({
        status: 'warning', found: `MAYFLY_MTA_STS is testing, but ${domain} has no MTA-STS record, so no sender reads the policy`,
        advice: `Set ${record}. TXT "v=STSv1; id=${id}"`,
      })
      world.dns.zone[record] = { TXT: ['v=STSv1; id=1', 'v=STSv1; id=2'] }
      expect(await finding('mta-sts', variables)).to.include({
        status: 'warning', found: `${record} is no MTA-STS record: v=STSv1; id=1, v=STSv1; id=2`, advice: `Set ${record}. TXT "v=STSv1; id=${id}"`,
      })
      world.dns.zone[record] = 'SERVFAIL'
      expect((await finding('mta-sts', variables)).found).to.match(/^The MTA-STS record \S+ could not be asked\. /)
    })

    it('needs a host of the policy', async () => {
      world.dns.zone[record] = { TXT: ['v=STSv1; id=1'] }
      expect(await finding('mta-sts', inPublic())).to.include({
        status: 'warning', found: `${url} cannot be used, so there is no policy: The name mta-sts.${domain} has no address.`,
      })
    })
  })

  describe('the MTA-STS policy', () => {
    let server: PolicyServer
    let distrust: () => void
    before(async () => {
      const pair = await newPair(Date.now(), [`mta-sts.${domain}`])
      distrust = trust(pair)
      server = await openPolicyServer(pair)
    })
    after(async () => {
      distrust()
      await server[Symbol.asyncDispose]()
    })
    beforeEach(() => { world.dns.zone[`mta-sts.${domain}`] = { A: ['127.0.0.1'] } })

    async function check(variables: Variables, policy: string, id = ownPolicy(readConfig(variables))?.id ?? '1') {
      world.dns.zone[record] = { TXT: [`v=STSv1; id=${id}`] }
      server.answer = withText(policy)
      return runCheck(mtaStsAt(server.port), variables)
    }

    it('is right when it is that of this server, and the id of the record too', async () => {
      const variables = { ...inPublic(), MAYFLY_MTA_STS: 'enforce' }
      const { text, id } = ownPolicy(readConfig(variables))!
      expect(await check(variables, text)).to.deep.equal({ status: 'ok', found: `${url}: enforce`, advice: null })
      expect(await check(variables, text, '20260101')).to.deep.equal({
        status: 'warning', found: `${record} has the id 20260101, which is not that of this policy: senders keep the one before`,
        advice: `Set ${record}. TXT "v=STSv1; id=${id}"`,
      })
      expect(await check(variables, policyText('testing', host))).to.include({
        status: 'warning', found: `${url} has the mode testing, and MAYFLY_MTA_STS is enforce`,
      })
    })

    it('keeps mail away when it is enforced and does not name an MX, or SMTP has no TLS', async () => {
      for (const [mode, status] of [['enforce', 'problem'], ['testing', 'warning']] as const) {
        expect(await check(inPublic(), policyText(mode, 'mx.example.net'))).to.include({
          status, found: `${url} does not name ${host}, an MX of ${domain}: senders bring it no mail`,
        })
        expect(await check({ ...inPublic(), MAYFLY_TLS_CERT: '', MAYFLY_TLS_KEY: '' }, policyText(mode, host))).to.include({
          status, found: `${url} asks for TLS, which this server does not offer`,
        })
      }
      expect(await check(inPublic(), policyText('enforce', `*.${domain}`))).to.include({ status: 'ok' })
      expect(await check(inPublic(), policyText('none', 'mx.example.net'))).to.include({ status: 'ok', found: `${url}: none` })
    })
  })

  it('shows the record for reports of TLS, and checks it', async () => {
    const name = `_smtp._tls.${domain}`
    const toSet = `Set ${name}. TXT "v=TLSRPTv1; rua=mailto:postmaster@${domain}"`
    expect(await finding('tls-rpt', inPublic())).to.include({
      status: 'ok', found: `${domain} has no TLS-RPT record, so no sender reports that TLS failed`, advice: toSet,
    })
    for (const [records, status, found] of [
      [['v=TLSRPTv1; rua=mailto:tls@example.com'], 'ok', `${name}: v=TLSRPTv1; rua=mailto:tls@example.com`],
      [['v=TLSRPTv1;rua=https://example.com/tls'], 'ok', `${name}: v=TLSRPTv1;rua=https://example.com/tls`],
      [['v=TLSRPTv1; rua=tls@example.com'], 'warning', `${name} names no address for reports: v=TLSRPTv1; rua=tls@example.com`],
      [['v=TLSRPTv1; rua=mailto:a@b.example', 'v=TLSRPTv1; rua=mailto:c@d.example'], 'warning', `${name} has 2 TLS-RPT records, which count as none`],
    ] as const) {
      world.dns.zone[name] = { TXT: [...records] }
      expect(await finding('tls-rpt', inPublic())).to.include({ status, found })
    }
  })
})
