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
  /** From now on nothing passes on the connections that are open, which stay so: the machine behind them is gone. */
  silence(): void
  /** How often it cut one. */
  cuts(): number
  close(): void
}

/** The text of the query by which a transaction ends. */
export const COMMIT = 'commit\0'

/** @param url `postgres://…` */
export async function cutConnections(url: string): Promise<CutConnections> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let next: { cut: Cut; text: string } | undefined
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
        const { cut } = next
        next = undefined
        cuts += 1
        if (cut === 'before') return end()
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
