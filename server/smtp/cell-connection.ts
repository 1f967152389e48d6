import { isIP } from 'node:net'
import { clientAddress, clientNetworks } from '../network.ts'
import { LimitedConnection } from './connection.ts'

/** A session at a cell, which another cell may have begun for a client of its own. */
export class CellConnection extends LimitedConnection {
  /** Then its mail is not relayed again (RFC 5321, section 2.3.10), so that none goes round. */
  isRelayed = false

  /** `XCELL secret address TLS|CLEAR`: the session is that of a client of another cell. */
  handler_XCELL(command: Buffer, callback: () => void) {
    const [, secret = '', address = '', security] = command.toString('latin1').split(' ')
    if (!this.shared.cells?.isSecret(secret) || isIP(address) === 0) {
      this.send(500, 'Error: command not recognized', 'XCELL')
      return callback()
    }
    this.isRelayed = true
    this.session.remoteAddress = this.remoteAddress = this.address = clientAddress(address)
    this.networks = clientNetworks(this.address)
    this.network = this.networks.at(-1)!.name
    this.session.secure = this.secure = security === 'TLS'
    this.send(250, 'Client accepted')
    callback()
  }
}
