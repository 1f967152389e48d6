import { createHash, createPublicKey, generateKeyPairSync, randomUUID, verify, X509Certificate } from 'node:crypto'
import type { JsonWebKey, KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { signCertificate } from '../../server/self-signed.ts'
import { rawRequest } from './raw-request.ts'

export interface CertificateAuthority extends AsyncDisposable {
  directory: string
  /** The certificates that were issued, oldest first. */
  issued: X509Certificate[]
  /** The `contact` of each account, by its URL. */
  contacts: Map<string, string>
  /** Refuses new orders with this problem. */
  refusal: { type: string, detail: string } | undefined
  /** Where the server answers for any host: a URL, or the port of the proof over TLS. The ports 80 and 443 are not for tests. */
  asksAt: string | number
  /** The paths at which it has asked over HTTP. */
  askedPaths: string[]
  /** Holds up the question for a proof. */
  beforeProof: () => Promise<void>
  /** Has a proof of before count, as authorities do for some days. */
  remembersProofs: boolean
  /** Sends the certificate of another key. */
  sendsOther: boolean
  /** Looks at an order for which it is still at work. */
  slowLooks: number
  now: () => number
}

interface Signed {
  protected: string
  payload: string
  signature: string
}

interface Header {
  alg: string
  nonce: string
  url: string
  kid?: string
  jwk?: JsonWebKey
}

interface Payload {
  contact?: string[]
  termsOfServiceAgreed?: boolean
  identifiers?: { type: string, value: string }[]
  csr?: string
}

interface Order {
  account: string
  name: string
  token: string
  status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid'
  proof: 'pending' | 'valid' | 'invalid'
  error?: object
  certificate?: X509Certificate
}

/** An authority for certificates (RFC 8555) at a port of 127.0.0.1. It checks signatures, nonces, proofs and requests for certificates. */
export async function openCertificateAuthority(): Promise<CertificateAuthority> {
  const issuer = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const nonces = new Set<string>()
  const keys = new Map<string, KeyObject>()
  const orders: Order[] = []
  let posts = 0
  const server = createServer((req, res) => {
    void answer(req).then(({ status, headers, body }) => res.writeHead(status, headers).end(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const authority: CertificateAuthority = {
    directory: `${url}/directory`, issued: [], contacts: new Map(), refusal: undefined, asksAt: '', askedPaths: [], beforeProof: async () => {},
    remembersProofs: false, sendsOther: false, slowLooks: 0, now: Date.now,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }

  async function answer(req: IncomingMessage) {
    const [method, path] = [req.method!, req.url!]
    const nonce = randomUUID()
    nonces.add(nonce)
    const reply = (status: number, body: unknown = '', location = '') => ({
      status, body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: {
        'replay-nonce': nonce, 'content-type': status >= 400 ? 'application/problem+json' : 'application/json',
        ...location && { location: url + location },
      },
    })
    const problem = (type: string, detail: string) => reply(400, { type: `urn:ietf:params:acme:error:${type}`, detail })
    if (path === '/directory') return reply(200, { newNonce: `${url}/nonce`, newAccount: `${url}/new-account`, newOrder: `${url}/new-order` })
    if (path === '/nonce') return reply(200)
    if (method !== 'POST' || req.headers['content-type'] !== 'application/jose+json') return problem('malformed', 'not JOSE')
    const { protected: head, payload, signature } = JSON.parse(await text(req)) as Signed
    const { alg, nonce: used, url: target, jwk, kid = '' } = JSON.parse(Buffer.from(head, 'base64url').toString()) as Header
    if (++posts === 2) nonces.delete(used) // as an authority does that has forgotten its nonces
    if (!nonces.delete(used)) return problem('badNonce', 'an old nonce')
    const key = jwk ? createPublicKey({ key: jwk, format: 'jwk' }) : keys.get(kid)
    const [signed, proof] = [Buffer.from(`${head}.${payload}`), Buffer.from(signature, 'base64url')]
    const isSigned = key && verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, proof)
    if (alg !== 'ES256' || target !== url + path || !isSigned || !jwk !== (path !== '/new-account')) return problem('unauthorized', 'not signed')
    const body = payload === '' ? undefined : JSON.parse(Buffer.from(payload, 'base64url').toString()) as Payload
    const [, what, index = ''] = path.split('/')
    const account = `/account/${thumbprint(key)}`
    if (what === 'new-account') {
      if (!body?.termsOfServiceAgreed) return problem('userActionRequired', 'the terms are not agreed to')
      const isNew = !keys.has(url + account)
      keys.set(url + account, key)
      if (isNew) authority.contacts.set(url + account, String(body.contact))
      return reply(isNew ? 201 : 200, { status: 'valid' }, account)
    }
    if (what === 'account') {
      if (body?.contact) authority.contacts.set(kid, String(body.contact))
      return reply(200, { status: 'valid' })
    }
    if (what === 'new-order') {
      if (authority.refusal) return problem(authority.refusal.type, authority.refusal.detail)
      const [identifier, ...more] = body!.identifiers!
      if (identifier!.type !== 'dns' || more.length > 0) return problem('malformed', 'not one name')
      const isProven = authority.remembersProofs
      orders.push({
        account, name: identifier!.value, token: randomUUID(), status: isProven ? 'ready' : 'pending', proof: isProven ? 'valid' : 'pending',
      })
      return reply(201, shown(orders.length - 1), `/order/${orders.length - 1}`)
    }
    const order = orders[Number(index)]
    if (order?.account !== account) return reply(404)
    if (what === 'authorization') {
      return reply(200, { status: order.proof, identifier: { type: 'dns', value: order.name }, challenges: challengesOf(Number(index)) })
    }
    if (what === 'order') {
      if (order.status === 'processing' && authority.slowLooks-- <= 0) order.status = 'valid'
      return reply(200, shown(Number(index)))
    }
    if (what === 'http-01' || what === 'tls-alpn-01') {
      if (!body) return problem('malformed', 'not begun')
      await authority.beforeProof()
      const fault = await (what === 'http-01' ? httpFault(order) : tlsFault(order)).catch((error: Error) => error.message)
      Object.assign(order, fault === undefined ? { proof: 'valid', status: 'ready' } : {
        proof: 'invalid', status: 'invalid', error: { type: 'urn:ietf:params:acme:error:unauthorized', detail: fault },
      })
      return reply(200, { status: 'processing' })
    }
    if (what === 'finalize') {
      if (order.status !== 'ready') return problem('orderNotReady', 'not yet')
      const request = readRequest(Buffer.from(body!.csr!, 'base64url'))
      if (request.names.join() !== order.name) return problem('badCSR', 'other names')
      const validity = { now: authority.now(), validityDays: 1 }
      order.certificate = new X509Certificate(await signCertificate(request.names, request.key, issuer, validity))
      authority.issued.push(order.certificate)
      order.status = 'processing'
      return reply(200, shown(Number(index)))
    }
    if (what !== 'certificate' || order.status !== 'valid') return reply(404)
    return reply(200, String(authority.sendsOther ? authority.issued[0] : order.certificate))
  }

  const shown = (index: number) => ({
    status: orders[index]!.status, authorizations: [`${url}/authorization/${index}`], finalize: `${url}/finalize/${index}`,
    ...orders[index]!.status === 'valid' && { certificate: `${url}/certificate/${index}` },
  })

  const challengesOf = (index: number) => ['dns-01', 'http-01', 'tls-alpn-01'].map((type) => ({
    type, url: `${url}/${type}/${index}`, token: orders[index]!.token, status: orders[index]!.proof, error: orders[index]!.error,
  }))

  const proofOf = ({ token, account }: Order) => `${token}.${account.split('/').at(-1)}`

  async function httpFault(order: Order): Promise<string | undefined> {
    const path = `/.well-known/acme-challenge/${order.token}`
    authority.askedPaths.push(path)
    const found = await rawRequest(String(authority.asksAt), { path, headers: { host: order.name } })
    return found.status === 200 && found.text === proofOf(order) ? undefined : `${order.name} answered ${found.status} at ${path}`
  }

  /** @see RFC 8737, section 3 */
  async function tlsFault(order: Order): Promise<string | undefined> {
    const socket = connect({
      host: '127.0.0.1', port: Number(authority.asksAt), servername: order.name, ALPNProtocols: ['acme-tls/1'], rejectUnauthorized: false,
    })
    await once(socket, 'secureConnect')
    const [found, protocol] = [socket.getPeerX509Certificate()!, socket.alpnProtocol]
    socket.destroy()
    const identifier = Buffer.from(`303106082b0601050507011f0101ff04220420${createHash('sha256').update(proofOf(order)).digest('hex')}`, 'hex')
    const isProof = protocol === 'acme-tls/1' && found.subjectAltName === `DNS:${order.name}` && found.raw.includes(identifier)
    return isProof ? undefined : `${order.name} showed another certificate`
  }
  return authority
}

const thumbprint = (key: KeyObject) => {
  const { crv, kty, x, y } = key.export({ format: 'jwk' })
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}

/** Reads a request for a certificate (RFC 2986, section 4). @throws Error when it is not signed with its key */
function readRequest(csr: Buffer): { names: string[], key: KeyObject } {
  const [request] = children(csr)
  const [info, , signature] = children(request!.value)
  const [, , spki, attributes] = children(info!.value)
  const key = createPublicKey({ key: spki!.whole, format: 'der', type: 'spki' })
  if (!verify('sha256', info!.whole, key, signature!.value.subarray(1))) throw new Error('the request is not signed with its key')
  const [, values] = children(children(attributes!.value)[0]!.value)
  const extensions = children(children(values!.value)[0]!.value).map(({ value }) => children(value))
  const names = extensions.find(([id]) => id!.value.toString('hex') === '551d11')!.at(-1)!
  return { key, names: children(children(names.value)[0]!.value).map(({ value }) => value.toString()) }
}

/** The values of DER, one after another. */
function children(bytes: Buffer): { whole: Buffer, value: Buffer }[] {
  const found = []
  for (let at = 0; at < bytes.length;) {
    const size = bytes[at + 1]!
    const extra = size < 0x80 ? 0 : size & 0x7f
    const length = extra === 0 ? size : bytes.readUIntBE(at + 2, extra)
    const begin = at + 2 + extra
    found.push({ whole: bytes.subarray(at, begin + length), value: bytes.subarray(begin, begin + length) })
    at = begin + length
  }
  return found
}
