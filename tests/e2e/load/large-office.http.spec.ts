import { once } from 'node:events'
import http from 'node:http'
import { expect, test } from '@playwright/test'
import { timesSlower } from '#tests/support/floor.ts'
import { LISTS } from '#tests/support/large-lists.ts'
import type { FullOffice } from '#tests/support/office/full-office.ts'
import { freePort } from '#tests/support/processes/server-process.ts'
import {
  startTimedServer,
  type TaskTime,
  type TimedServer,
} from '#tests/support/processes/timed-server.ts'
import { addressOf, VISITS } from '#tests/support/visits.ts'

/*
 * An office of many years on the production build, with its jobs: no page, call, export or job keeps the request thread
 * from the others for long. The time is the processor time of that thread, so that other programs do not count.
 */

const DOCUMENTS = 100_000
const EVENTS = 1_000_000
/** On the machine for which it is written; on a slower one as many times more. */
const LONGEST_TASK_MS = 200

let server: TimedServer
let origin: string
let office: FullOffice
let slower: number
/** What took longest of all that was asked for. */
const slowest: { task: TaskTime; what: string; slower: number }[] = []

test.beforeAll(async () => {
  test.setTimeout(900_000)
  slower = await timesSlower()
  const port = await freePort()
  origin = `http://localhost:${port}`
  server = await startTimedServer({ PORT: String(port) }, { documents: DOCUMENTS, events: EVENTS })
  office = server.office
  await note('the first run of each job', server.started)
})
test.afterAll(() => server?.stop())

/** Measures one request. @returns the number of lines of the answer, which may be larger than a string can be */
async function ask(address: string, headers: http.OutgoingHttpHeaders): Promise<number> {
  const [response] = await once(http.get(origin + address, { headers, agent: false }), 'response')
  let lines = 0
  for await (const chunk of response as http.IncomingMessage) lines += linesIn(chunk)
  expect(response.statusCode, address).toBe(200)
  await note(address, await server.longestTask())
  return lines
}

async function note(what: string, task: TaskTime): Promise<void> {
  slowest.push({ task, what, slower: task.cpu > LONGEST_TASK_MS ? await slowerNow() : 1 })
}

/** What a page without rows takes of the request thread on the machine for which the limit is written. */
const EMPTY_PAGE_MS = 7

/** How many times longer such a page takes at this moment, beside what else the machine does; no less than 1. */
async function slowerNow(): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < 9; count += 1) {
    await (await fetch(`${origin}/login`)).text()
    times.push((await server.longestTask()).cpu)
  }
  const [median = 0] = times.toSorted((a, b) => a - b).slice(4)
  return Math.max(1, median / EMPTY_PAGE_MS)
}

function linesIn(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) lines += 1
  return lines
}

const LF = 10

const asMember = (address: string) => ask(address, { Cookie: office.member })

/** Pages with few rows, which compile what all pages use; they are measured as the others are. */
const FIRST = ['/', '/dashboard/profile']

/** Of a document with a quarter of all events. */
const filesOf = ({ id }: FullOffice['signed']) => [
  `/dashboard/audit?subject=${id}`,
  `/dashboard/audit/bitacora.csv?subject=${id}`,
  '/dashboard/audit/punto-de-control.txt',
  `/verify/${id}/report.json`,
  `/verify/${id}/report.pdf`,
  `/verify/${id}/log.tlog-proof`,
  `/dashboard/documents/${id}/evidence.pdf`,
  `/dashboard/documents/${id}/presence.json`,
  `/dashboard/documents/${id}/evidence.zip`,
]

const CALLS = [
  ...['auth/health', 'auth/session', 'auth/session/validate', 'auth/sessions'],
  ...['auth/webauthn/credentials', 'openapi.json'],
]

test('large office: no page, call, export or job keeps the request thread for long', async () => {
  test.setTimeout(900_000)
  for (const address of FIRST) await asMember(address)
  for (const visit of Object.values(VISITS)) {
    const address = addressOf(visit, office)
    // In another state of the office, or with a token plugged in: they read the rows of the page of the signature.
    if (visit.presence || address.endsWith('/sign/token')) continue
    await ask(address, visit.as ? { Cookie: office[visit.as] } : {})
  }
  for (const address of LISTS) await asMember(address)
  for (const call of CALLS) await asMember(`/api/v1/${call}`)
  await ask('/api/v1/signing/turns', { Authorization: office.program })
  for (const address of filesOf(office.signed)) await asMember(address)
  for (const format of ['csv', 'jsonl'])
    expect(await asMember(`/dashboard/audit/bitacora.${format}`)).toBeGreaterThan(EVENTS * 0.9)
  await jobsAreDone()
  expect(server.logged()).not.toContain('job failed')
  slower = Math.max(slower, await timesSlower())
  const late = slowest
    .filter((one) => one.task.cpu > LONGEST_TASK_MS * Math.max(slower, one.slower))
    .map(({ task, what }) => `${what}: ${told(task)}`)
  const [longest] = slowest.toSorted((a, b) => b.task.cpu - a.task.cpu)
  console.log(
    `longest task: ${longest && `${longest.what}, ${told(longest.task)}`}; machine ${slower.toFixed(1)} times slower`,
  )
  expect(late).toEqual([])
})

const told = ({ cpu, wall }: TaskTime) => `${cpu.toFixed(0)} ms (wall ${wall.toFixed(0)} ms)`

/** Each job runs at the start; the check of the whole log goes on longest. */
async function jobsAreDone(): Promise<void> {
  const patience = { timeout: 300_000, intervals: [2000] }
  await expect
    .poll(async () => {
      const task = await server.longestTask()
      await note('jobs', task)
      return task.busy
    }, patience)
    .toBeLessThan(0.2)
}
