import { readFileSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { SmtpOptions } from './smtp-server.ts'

/*
 * A real mail server in its own process. The recipient decides its answer: `busy@` is refused temporarily and
 * `unknown@` permanently; `full@` and `spam@` likewise after the whole text; for `drop@` the connection breaks in
 * the middle. Prints each accepted mail as a line of JSON, and an answer to each line that it reads.
 */
const options: SmtpOptions = JSON.parse(process.argv[2] ?? '{}')
const sockets = new Set<Socket>()

const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode })

const server = new SMTPServer({
  secure: options.tls?.kind === 'tls',
  ...(options.tls && {
    cert: readFileSync(options.tls.certificate),
    key: readFileSync(options.tls.key),
  }),
  hideSTARTTLS: options.tls?.kind !== 'starttls',
  authOptional: !options.credentials,
  allowInsecureAuth: true,
  disableReverseLookup: true,
  onAuth({ username, password }, _session, done) {
    const { user, password: right } = options.credentials ?? {}
    if (username === user && password === right) return done(null, { user: username ?? '' })
    done(refusal(535, 'wrong user or password'))
  },
  onMailFrom({ address }, _session, done) {
    done(address.startsWith('forbidden@') ? refusal(553, 'no such sender here') : null)
  },
  onRcptTo({ address }, _session, done) {
    if (address.startsWith('busy@')) return done(refusal(451, 'try again later'))
    if (address.startsWith('unknown@')) return done(refusal(550, 'no such user'))
    done()
  },
  onData(stream, session, done) {
    const to = session.envelope.rcptTo.map(({ address }) => address)
    if (to.some((address) => address.startsWith('drop@'))) return breakOff(session.remotePort)
    const chunks: Buffer[] = []
    stream.on('data', (chunk) => chunks.push(chunk))
    stream.on('end', () => {
      if (to.some((address) => address.startsWith('full@'))) return done(refusal(452, 'no room'))
      if (to.some((address) => address.startsWith('spam@'))) return done(refusal(554, 'no thanks'))
      const from = session.envelope.mailFrom
      const received = {
        from: from ? from.address : '',
        to,
        raw: Buffer.concat(chunks).toString('latin1'),
        isEncrypted: session.secure,
        user: session.user ?? null,
      }
      process.stdout.write(`${JSON.stringify({ received })}\n`, () => done(null, 'taken'))
    })
  },
})

function breakOff(port: number): void {
  for (const socket of sockets) if (socket.remotePort === port) socket.destroy()
}

server.server.on('connection', (socket: Socket) => {
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket))
})
/* Tells the parent, after all mail before, that it has asked. */
process.stdin.on('data', () => process.stdout.write(`${JSON.stringify({ asked: true })}\n`))

// A client that disconnects midway does not end the server.
server.on('error', () => undefined)
server.listen(options.port ?? 0, '127.0.0.1', () => {
  const { port } = server.server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ port })}\n`)
})
