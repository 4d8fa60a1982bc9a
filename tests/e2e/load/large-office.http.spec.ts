import { expect, test } from '@playwright/test'
import { send } from '#tests/e2e/support/http.ts'
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
const LONGEST_TASK_MS = 200

let server: TimedServer
let origin: string
let office: FullOffice
/** What took longest of all that was asked for. */
const slowest: { task: TaskTime; what: string }[] = []

test.beforeAll(async () => {
  test.setTimeout(900_000)
  const port = await freePort()
  origin = `http://localhost:${port}`
  server = await startTimedServer({ PORT: String(port) }, { documents: DOCUMENTS, events: EVENTS })
  office = server.office
})
test.afterAll(() => server?.stop())

/** Measures one request; what it reads besides is for the caller. */
async function ask(address: string, cookie: string, statuses: readonly number[] = [200]) {
  const answer = await send(origin + address, { headers: { Cookie: cookie } })
  expect(statuses, `${address} answers ${answer.status}`).toContain(answer.status)
  slowest.push({ task: await server.longestTask(), what: address })
  return answer.text
}

const asMember = (address: string) => ask(address, office.member)

/** Lists with filters, on their first and later pages. */
const behind = `${Date.now() - 90 * 24 * 3600 * 1000}.00000000-0000-4000-8000-000000000000`
const LISTS = [
  '/dashboard/documents?state=signed',
  `/dashboard/documents?state=cancelled&behind=${behind}`,
  '/dashboard/documents?text=99999',
  '/dashboard/documents?text=no+hay',
  '/dashboard/signing?show=all',
  `/dashboard/signing?show=all&state=cancelled&behind=${behind}`,
  '/dashboard/signing?show=mine&state=expired',
  '/dashboard/settings/outbox?state=failed',
  `/dashboard/alerts?show=resolved&behind=${behind}`,
  '/dashboard/audit?about=access',
  '/dashboard/signing/parties?text=nunez+9999',
]

/** Of a document with a quarter of all events. */
const filesOf = ({ id }: FullOffice['signed']) => [
  `/dashboard/audit?subject=${id}`,
  `/verify/${id}/report.json`,
  `/verify/${id}/log.tlog-proof`,
  `/dashboard/documents/${id}/evidence.zip`,
]

const CALLS = ['auth/health', 'auth/session', 'auth/session/validate', 'auth/sessions']

test('large office: no page, call, export or job keeps the request thread for long', async () => {
  test.setTimeout(900_000)
  for (const visit of Object.values(VISITS)) {
    const address = addressOf(visit, office)
    // In another state of the office, or with a token plugged in: they read the rows of the page of the signature.
    if (visit.presence || address.endsWith('/sign/token')) continue
    await ask(address, visit.as ? office[visit.as] : '')
  }
  for (const address of LISTS) await asMember(address)
  for (const call of [...CALLS, 'auth/webauthn/credentials']) await asMember(`/api/v1/${call}`)
  // The document is no real one: some of its files cannot be made.
  for (const address of filesOf(office.signed)) await ask(address, office.member, [200, 404, 409])
  for (const format of ['csv', 'jsonl']) {
    const lines = (await asMember(`/dashboard/audit/bitacora.${format}`)).split('\n').length
    expect(lines).toBeGreaterThan(EVENTS * 0.9)
  }
  await jobsAreDone()
  expect(server.logged()).not.toContain('job failed')
  const late = slowest
    .filter(({ task }) => task.cpu > LONGEST_TASK_MS)
    .map(({ task, what }) => `${what}: ${told(task)}`)
  const [longest] = slowest.toSorted((a, b) => b.task.cpu - a.task.cpu)
  console.log(`longest task: ${longest && `${longest.what}, ${told(longest.task)}`}`)
  expect(late).toEqual([])
})

const told = ({ cpu, wall }: TaskTime) => `${cpu.toFixed(0)} ms (wall ${wall.toFixed(0)} ms)`

/** Each job runs at the start; the check of the whole log goes on longest. */
async function jobsAreDone(): Promise<void> {
  const patience = { timeout: 300_000, intervals: [2000] }
  await expect
    .poll(async () => {
      const task = await server.longestTask()
      slowest.push({ task, what: 'jobs' })
      return task.busy
    }, patience)
    .toBeLessThan(0.2)
}
