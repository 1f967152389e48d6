import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

type Reply = string | ((socket: Socket) => void)

/** The reaction of the server at each point: a text is sent with CRLF. A point that is missing succeeds. */
export interface Script {
  greeting?: Reply
  EHLO?: Reply
  HELO?: Reply
  STARTTLS?: Reply
  AUTH?: Reply
  MAIL?: Reply
  RCPT?: Reply
  DATA?: Reply
  /** At the first bytes of the mail. */
  text?: Reply
  dot?: Reply
  QUIT?: Reply
  /** At the first bytes after the reply to STARTTLS. */
  handshake?: Reply
}

const goodReplies: Script = {
  greeting: '220 scripted ESMTP', EHLO: '250 scripted', HELO: '250 scripted', STARTTLS: '220 go', AUTH: '235 yes', MAIL: '250 ok',
  RCPT: '250 ok', DATA: '354 go', dot: '250 queued', QUIT: (socket) => socket.end('221 bye\r\n'), handshake: (socket) => socket.destroy(),
}

/** A server on loopback that follows a script, for failures that a real server cannot be made to have. */
export async function openScriptedServer(script: Script, host = '127.0.0.1') {
  const lines: string[] = []
  const sockets = new Set<Socket>()
  const all = { connections: 0 }
  const server = createServer((socket) => {
    all.connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    const play = (point: keyof Script) => {
      const reply = script[point] ?? goodReplies[point]
      if (typeof reply === 'string') socket.write(`${reply}\r\n`)
      else reply?.(socket)
    }
    let rest = ''
    let state: 'commands' | 'mail' | 'TLS' = 'commands'
    socket.on('data', (chunk) => {
      if (state === 'TLS') return play('handshake')
      rest += chunk.toString('latin1')
      for (;;) {
        const end = rest.indexOf('\r\n')
        if (end === -1) return
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        lines.push(line)
        if (state === 'mail') {
          if (line !== '.') continue
          state = 'commands'
          play('dot')
        } else {
          const verb = line.slice(0, 8).split(' ')[0]!.toUpperCase() as keyof Script
          play(verb)
          if (verb === 'STARTTLS' && !/^[45]/.test(String(script.STARTTLS))) state = 'TLS'
          if (verb === 'DATA' && !/^[45]/.test(String(script.DATA))) {
            state = 'mail'
            if (script.text) socket.once('data', () => play('text'))
          }
        }
      }
    })
    play('greeting')
  })
  await once(server.listen(0, host), 'listening')
  return {
    host,
    port: (server.address() as AddressInfo).port,
    lines,
    script,
    get connections() {
      return all.connections
    },
    get open() {
      return sockets.size
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
