import { expect } from 'chai'
import { setTimeout } from 'node:timers/promises'
import { openCertificateAuthority } from '../support/certificate-authority.ts'
import { freePort } from '../support/dns-server.ts'
import { openNodes } from '../support/nodes.ts'
import { shownCertificate } from '../smtp/mailbox.ts'

describe('Nodes: the certificate by ACME', () => {
  for (const way of ['HTTP', 'TLS']) {
    it(`is ordered by one; each has the proof for the authority over ${way}, and serves it`, async () => {
      await using authority = await openCertificateAuthority()
      const env = { MAYFLY_ACME_EMAIL: 'ada@example.com', MAYFLY_ACME_DIRECTORY: authority.directory, MAYFLY_MX_HOST: 'mx.example.com' }
      const overTls = async () => way === 'TLS' && { MAYFLY_ACME_TLS_PORT: String(await freePort()) }
      const { promise: bothOpen, resolve: open } = Promise.withResolvers<void>()
      authority.beforeProof = () => bothOpen
      await using world = await openNodes(1, { env: { ...env, ...await overTls() } })
      // the first has begun the order
      const { url, app: { config: { smtp } } } = await world.open({ env: { ...env, ...await overTls() } })
      authority.asksAt = smtp.acme!.tlsPort ?? url
      open()
      for (const { app: { smtp } } of world.nodes) {
        while (authority.issued.length === 0) await setTimeout(20)
        await smtp.reloadCertificate()
        expect((await shownCertificate({ host: '127.0.0.1', port: smtp.port })).fingerprint256).to.equal(authority.issued[0]!.fingerprint256)
      }
      expect([authority.issued.length, authority.contacts.size]).to.deep.equal([1, 1])
    })
  }
})
