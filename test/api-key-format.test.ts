import { expect } from 'chai'
import { maskSecrets } from '../server/api-key-format.ts'

describe('Request log', () => {
  it('masks secrets of every kind', () => {
    const secrets = {
      'API key': ['/api/v1/addresses/svc_live_0123456789abcdefghijklmnopqrstuvw', '/api/v1/addresses/svc_live_…'],
      'API key of test mode, percent-encoded': ['/x?key=svc%5Ftest%5f0123456789', '/x?key=svc%5Ftest%5f…'],
      'webhook secret': ['"whsec_MfKQ9r8GKYqr/wjUPD8ILP+IoLaLaSw=="', '"whsec_…"'],
      'webhook secret, percent-encoded': ['/webhooks/whsec_MfKQ9r8GKYqr%2FwjUPD%3D', '/webhooks/whsec_…'],
      'verification token in a query': ['/verify-forwarding?token=abc-DEF_123', '/verify-forwarding?token=…'],
      'verification token in a path': [`/verify-forwarding/${'aB3-_'.repeat(8)}xyz`, '/verify-forwarding/…'],
      'return path': [
        '<bounce=019ceb92ea80752ebca96513269e0d37=g1x=0123456789abcdef@mail.localhost>',
        '<bounce=019ceb92ea80752ebca96513269e0d37=g1x=…@mail.localhost>',
      ],
      'password with an @': ['smtp://user:p@ss:w@rd@relay.example:587', 'smtp://user:…@relay.example:587'],
      'password of the smart host': ['smtp://user:pass!word@relay.example:587', 'smtp://user:…@relay.example:587'],
    }
    for (const [kind, [text, masked]] of Object.entries(secrets)) expect(maskSecrets(text!), kind).to.equal(masked)
    for (const text of ['/api/v1/emails/019ceb92-ea80-752e-bca9-6513269e0d37', 'https://mail.example.org:8443/a@b', 'svc_live_ keys', 'x'.repeat(44)]) {
      expect(maskSecrets(text)).to.equal(text)
    }
  })
})
