import net from 'node:net'
import { freePort } from './server-process.ts'

export type Balancer = {
  port: number
  /** How often a request with this first line came, like `POST /demo/tsa`. */
  count(line: string): number
  close(): void
}

/** Passes each connection on to the next of the ports that takes it, as a proxy in front of several machines does. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const lines = new Map<string, number>()
  const sockets = new Set<net.Socket>()
  let turn = 0

  function count(chunk: Buffer): void {
    for (const [, line = ''] of chunk.toString('latin1').matchAll(REQUEST_LINE))
      lines.set(line, (lines.get(line) ?? 0) + 1)
  }

  function passOn(visitor: net.Socket, first: number, left: number): void {
    const machine = net.connect(ports[first % ports.length] ?? 0, '127.0.0.1')
    let isTaken = false
    sockets.add(machine)
    machine.once('connect', () => {
      isTaken = true
      visitor.on('data', count)
      visitor.pipe(machine).pipe(visitor)
    })
    machine.on('error', () => {
      if (isTaken || left === 1) visitor.destroy()
      else passOn(visitor, first + 1, left - 1)
    })
    machine.on('close', () => {
      sockets.delete(machine)
      if (isTaken) visitor.destroy()
    })
    visitor.on('close', () => machine.destroy())
  }

  const server = net.createServer((visitor) => {
    sockets.add(visitor)
    visitor.on('error', () => undefined)
    visitor.on('close', () => sockets.delete(visitor))
    turn += 1
    passOn(visitor, turn, ports.length)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    count: (line) => lines.get(line) ?? 0,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const REQUEST_LINE = /^([A-Z]+ \/[^ ?]*)[^ ]* HTTP\/1\.1\r$/gm
