import { startDemoServer } from './demo-server.ts'
import { type Figure, percentile } from './figures.ts'
import { cookiesOf, tokenIn } from './office-visitor.ts'

const section = 'Doscientas personas que inician sesión a la vez'
const AT_ONCE = 200
const CALM_CHECKS = 200

/** How long other requests wait while two hundred passwords are checked. */
export async function measureSignIns(folder: string): Promise<Figure[]> {
  // The bench is a proxy here, so that each attempt may come from a network of its own.
  const server = await startDemoServer(folder, { TRUST_PROXY: '127.0.0.1,::1' })
  try {
    const { origin, users } = server
    const form = await fetch(`${origin}/login`)
    const [csrf, cookie] = [tokenIn(await form.text()), cookiesOf(form)]
    const attempt = async (index: number) => {
      const { email = '', password = '' } = users[index % users.length] ?? {}
      const answer = await fetch(`${origin}/login`, {
        method: 'POST',
        headers: { cookie, origin, 'X-Forwarded-For': `198.51.100.${index}` },
        body: new URLSearchParams({ csrf, email, password }),
        redirect: 'manual',
      })
      await answer.arrayBuffer()
      return answer.status
    }
    const calm = await checksWhile(origin, (done) => done >= CALM_CHECKS)

    let isOver = false
    const flood = Promise.all(Array.from({ length: AT_ONCE }, (_, index) => attempt(index)))
    void flood.finally(() => {
      isOver = true
    })
    const busy = await checksWhile(origin, () => isOver)
    const statuses = await flood
    if (!statuses.every((status) => status === 303 || status === 429))
      throw new Error(`signing in was answered with ${[...new Set(statuses)].join(', ')}`)
    const cameIn = statuses.filter((status) => status === 303).length
    return [
      { section, name: 'health, p95 in calm', value: percentile(calm, 0.95), unit: 'ms' },
      { section, name: 'health, p95', value: percentile(busy, 0.95), unit: 'ms', atMost: 200 },
      { section, name: 'checks of health meanwhile', value: busy.length, unit: '' },
      { section, name: 'came in; the others are told to wait', value: cameIn, unit: '' },
    ]
  } finally {
    await server.stop()
  }
}

/** Milliseconds of each check, run one after the other. */
async function checksWhile(origin: string, isOver: (done: number) => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isOver(times.length)) {
    const start = performance.now()
    const answer = await fetch(`${origin}/api/v1/auth/health`)
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`health was answered with ${answer.status}`)
    times.push(performance.now() - start)
  }
  return times
}
