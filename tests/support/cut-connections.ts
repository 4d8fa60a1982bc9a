import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** When a connection is cut: before the server has the statement, or after it has answered. */
export type Cut = 'before' | 'after'

/** A way to PostgreSQL that loses a connection at a statement. */
export type CutConnections = {
  /** The address of the database through it. */
  url: string
  /** Cuts the connection that sends this text next, so that the client never sees an answer. */
  cutNext(cut: Cut, text: string): void
  /**
   * Answers the next message that has this text with an error of this SQLSTATE, as a server or a pooler does that ends the
   * connection, and ends it. The database does not see the message.
   */
  endNext(state: string, text: string): void
  /** From now on nothing passes on the connections that are open, which stay so: the machine behind them is gone. */
  silence(): void
  /** How often it cut one. */
  cuts(): number
  close(): void
}

/** The text of the query by which a transaction ends. */
export const COMMIT = 'commit\0'
/** The text with which a connection begins. */
export const STARTUP = 'user\0'

/** @param url `postgres://…` */
export async function cutConnections(url: string): Promise<CutConnections> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let next: { cut: Cut; text: string } | { state: string; text: string } | undefined
  let cuts = 0
  const silenced = new WeakSet<Socket>()

  const server = createServer((client) => {
    const database = connect(Number(port), hostname)
    const end = () => {
      client.destroy()
      database.destroy()
    }
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    let isSilent = false
    client.on('data', (chunk) => {
      if (silenced.has(client)) return
      if (next && chunk.includes(next.text)) {
        const lost = next
        next = undefined
        cuts += 1
        if ('state' in lost) return void client.end(fatal(lost.state), end)
        if (lost.cut === 'before') return end()
        isSilent = true
      }
      database.write(chunk)
    })
    database.on('data', (chunk) => {
      // The server has committed: it says so now.
      if (isSilent) return end()
      if (!silenced.has(client)) client.write(chunk)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const through = new URL(url)
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    cutNext(cut, text) {
      next = { cut, text }
    },
    endNext(state, text) {
      next = { state, text }
    },
    silence() {
      for (const socket of sockets) silenced.add(socket)
    },
    cuts: () => cuts,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** An ErrorResponse. @see https://www.postgresql.org/docs/current/protocol-message-formats.html */
function fatal(state: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${state}\0Mthe connection ends\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
