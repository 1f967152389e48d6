import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createSecureContext, createServer } from 'node:tls'
import type { SecureContext } from 'node:tls'
import { cannotListen } from '../config/cannot-listen.ts'
import type { App } from '../context.ts'
import { readProof } from '../domain/acme-certificate.ts'
import { splitPem } from '../domain/smtp-certificate.ts'

/** An authority asks from a few places at once. */
const maxConnections = 100
const handshakeMs = 10_000

/**
 * Listens for the authority of certificates, and shows it the proof that it asks for: RFC 8737, section 3.
 * @returns a function that ends this
 */
export async function listenAcme({ db, config: { mxHost, smtp: { host } } }: App, port: number): Promise<() => Promise<void>> {
  const proof = async (): Promise<SecureContext> => createSecureContext(splitPem(await readProof(db)))
  const server = createServer({
    ALPNProtocols: ['acme-tls/1'],
    minVersion: 'TLSv1.2',
    handshakeTimeout: handshakeMs,
    SNICallback(name, done) {
      if (name.toLowerCase() === mxHost) proof().then((context) => done(null, context), done)
      else done(null)
    },
  }, (socket) => socket.on('error', () => {}).end())
  server.maxConnections = maxConnections
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await once(server.listen(port, host), 'listening').catch(cannotListen(['MAYFLY_SMTP_HOST', 'MAYFLY_ACME_TLS_PORT'], { host, port }))
  return async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
}
