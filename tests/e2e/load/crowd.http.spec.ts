import { readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { send, signedInClient } from '#tests/e2e/support/http.ts'
import { timesSlower } from '#tests/support/floor.ts'
import type { Demo } from '#tests/support/processes/demo-server.ts'
import { MEMORY_FLAGS } from '#tests/support/processes/memory-flags.ts'
import { freePort, startServer } from '#tests/support/processes/server-process.ts'

/** Users who each ask for the next page as soon as they have one. */
const USERS = 256
const SECONDS = 10
const PAGES = ['/dashboard', '/dashboard/documents', '/dashboard/profile', '/verify/document']
const P99_MS = 2_000
/** A smaller crowd makes the server warm: its heap grows to the size that the collector likes. */
const [FEW_USERS, WARM_SECONDS] = [32, 5] as const
/** By which many users more make the peak of the process grow, in MB. */
const MOST_MEMORY = 100

type Answer = { status: number; took: number; retryAfter: string | undefined; text: string }

const get = (agent: http.Agent, address: string, cookie: string) =>
  new Promise<Answer>((resolve, reject) => {
    const began = performance.now()
    http
      .get(address, { agent, headers: { cookie } }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response
          const took = performance.now() - began
          const text = Buffer.concat(chunks).toString()
          resolve({ status, took, retryAfter: headers['retry-after'], text })
        })
      })
      .once('error', reject)
  })

const userOf = ({ dataFolder }: { dataFolder: string }) => {
  const file = path.join(dataFolder, 'demo/demo.json')
  const { users } = JSON.parse(readFileSync(file, 'utf8')) as Demo
  return users.find(({ roles }) => roles.includes('NOTARY'))!
}

const peakMemory = (pid: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Processor time of the first thread of a process, in ms. It runs the JavaScript. */
const threadTime = (pid: number) => {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
  // Behind the name, which may hold spaces: field 3. The times are fields 14 and 15, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

test(`${USERS} users at once: what is answered is answered soon, the rest is told when to come back`, async () => {
  test.setTimeout(120_000)
  const port = await freePort()
  const server = await startServer('demo', { PORT: String(port) }, { flags: MEMORY_FLAGS })
  const agent = new http.Agent({ keepAlive: true, maxSockets: USERS })
  const origin = `http://localhost:${port}`
  try {
    const { cookies } = await signedInClient(origin, userOf(server))
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const crowd = async (users: number, seconds: number) => {
      const end = performance.now() + seconds * 1_000
      const answers: Answer[] = []
      const user = async (number: number) => {
        for (let turn = number; performance.now() < end; turn += 1) {
          const answer = await get(agent, origin + PAGES[turn % PAGES.length], cookie)
          answers.push(answer)
          // Sooner than a user presses the button again.
          if (answer.status === 503) await pause(500)
        }
      }
      await Promise.all(Array.from({ length: users }, (_, number) => user(number)))
      return answers
    }
    await crowd(FEW_USERS, WARM_SECONDS)
    const before = peakMemory(server.pid)
    const began = { at: performance.now(), threadTime: threadTime(server.pid) }
    const answers = await crowd(USERS, SECONDS)
    // The thread always had something to do: what it did not run, other programs of the machine did.
    const held = (performance.now() - began.at) / (threadTime(server.pid) - began.threadTime)

    const served = answers.filter(({ status }) => status === 200)
    const shed = answers.filter(({ status }) => status === 503)
    const times = served.map(({ took }) => took).toSorted((one, other) => one - other)
    const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN
    const grown = peakMemory(server.pid) - before
    console.log(
      `${USERS} users: ${served.length} answered, p99 ${p99.toFixed(0)} ms of ${(P99_MS * held).toFixed(0)}, ${shed.length} told to come back, ${grown.toFixed(0)} MB more`,
    )
    expect(served.length + shed.length).toBe(answers.length)
    expect(p99).toBeLessThan(P99_MS * held * (await timesSlower()))
    expect(grown).toBeLessThan(MOST_MEMORY)
    for (const { retryAfter, text } of shed.slice(0, 10)) {
      expect(retryAfter).toBe('3')
      expect(text).toContain('Hay demasiadas solicitudes en este momento')
    }

    const afterwards = performance.now()
    expect((await send(`${origin}/login`)).status).toBe(200)
    expect(performance.now() - afterwards).toBeLessThan(1_000)
  } finally {
    agent.destroy()
    await server.stop()
  }
})
