import net from 'node:net'

/** A connection between browser and server that can break. It passes bytes on and reads none of them. */
export type BreakingProxy = {
  port: number
  /** Bytes from the browser that had a server to go to. */
  sent(): number
  /** Resolves once so many more of these bytes came; then `act` runs before another byte passes. */
  after(bytes: number, act: () => void): Promise<void>
  /** Ends every connection, and each new one at once. */
  break(): void
  mend(): void
  close(): Promise<void>
}

/** @param target port on this machine */
export async function startBreakingProxy(target: number): Promise<BreakingProxy> {
  const sockets = new Set<net.Socket>()
  let isBroken = false
  let sent = 0
  let waiting: { at: number; act(): void } | undefined

  function count(bytes: number): void {
    sent += bytes
    if (!waiting || sent < waiting.at) return
    const { act } = waiting
    waiting = undefined
    act()
  }
  const server = net.createServer((browser) => {
    if (isBroken) return void browser.destroy()
    const onward = net.connect(target, '127.0.0.1')
    for (const [one, other] of [
      [browser, onward],
      [onward, browser],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    onward.on('connect', () => {
      browser.on('data', (chunk) => count(chunk.length))
      browser.pipe(onward)
      onward.pipe(browser)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as net.AddressInfo).port,
    sent: () => sent,
    after: (bytes, act) =>
      new Promise((resolve) => {
        waiting = {
          at: sent + bytes,
          act() {
            act()
            resolve()
          },
        }
      }),
    break() {
      isBroken = true
      end()
    },
    mend() {
      isBroken = false
    },
    close() {
      end()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
