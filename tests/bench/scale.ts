import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DialectName } from '#server/db/database.ts'
import { timesSlower } from '#tests/support/floor.ts'
import { LISTS, SEARCHES } from '#tests/support/large-lists.ts'
import type { FullOffice } from '#tests/support/office/full-office.ts'
import { startPostgresServer } from '#tests/support/postgres-server.ts'
import { MEMORY_FLAGS } from '#tests/support/processes/memory-flags.ts'
import {
  freePort,
  type ServerProcess,
  startServer,
} from '#tests/support/processes/server-process.ts'
import { addressOf, VISITS } from '#tests/support/visits.ts'
import { withClient } from '#tests/support/with-client.ts'
import { openBatchOffice } from './batch-office.ts'
import { type Figure, median, percentile } from './figures.ts'
import { writeScannedPdf } from './large-pdf.ts'

/** The office that others are compared with. */
const SMALL = 1_000
const EVENTS_A_DOCUMENT = 10
const ROUNDS = 7
const SIGNATURES = 12
/** What costs the same in an office of any size may cost so many times more in a large one. */
const MOST = 1.5
/** Shorter differences are those of the clock and of the caches. */
const NOISE_MS = 1
const LOGIN_MS = 15_000

type Running = {
  server: ServerProcess
  office: FullOffice
  origin: string
  metrics: string
  environment: Record<string, string>
  /** From the start of the process to the first answer. */
  startMs: number
}

/**
 * What pages, lists, searches, uploads, signatures, exports and jobs cost in an office with so many documents, and ten times
 * as many events, against one with a thousand, on both databases. The two servers run side by side and are asked in turn.
 *
 * @param folder for the databases: a million documents take some 20 GB
 */
export async function measureScale(folder: string, documents: number): Promise<Figure[]> {
  mkdirSync(folder, { recursive: true })
  const postgres = await startPostgresServer()
  try {
    const figures: Figure[] = []
    for (const dialect of ['sqlite', 'postgres'] as const)
      figures.push(...(await measureOn(dialect, folder, { documents, postgres: postgres.url })))
    return figures
  } finally {
    await postgres.stop()
  }
}

async function measureOn(
  dialect: DialectName,
  folder: string,
  { documents, postgres }: { documents: number; postgres: string },
): Promise<Figure[]> {
  const section = `${documents.toLocaleString('en')} documents against ${SMALL.toLocaleString('en')} (${dialect})`
  const databaseOf = async (name: string) =>
    dialect === 'postgres' ? await newDatabase(postgres, `scale_${name}`) : undefined
  const small = await start(await databaseOf('small'), SMALL)
  const large = await start(await databaseOf('large'), documents)
  try {
    const busy = await loginWhileBusy(large)
    await Promise.all([quiet(small), quiet(large)])
    const memory = memoryOf(large)
    const jobs = [await jobTimes(small), await jobTimes(large)] as const
    const pages = await pageRatios(small, large)
    const rows = await exportRatio(small, large)
    const work = await workRatios(small, large, folder)
    const slower = await timesSlower()
    const isBounded = ({ address }: Page) => SEARCHES.includes(address)
    const isLinear = ({ address }: Page) => address.startsWith('/dashboard/reports/')
    const searches = pages.filter(isBounded)
    const flat = pages.filter((page) => !isBounded(page) && !isLinear(page))
    const [worst] = worstOf(flat)
    return [
      ...worstOf(pages).map(({ address, ratio, ms }) => ({
        ...{ section, name: `${address} (${ms.toFixed(0)} ms)`, value: ratio, unit: '×' as const },
      })),
      { section, name: 'memory after all pages', value: memoryOf(large), unit: 'MB' },
      {
        section,
        name: 'dearest page but for searches and reports',
        value: worst?.ratio ?? Number.NaN,
        unit: '×',
        atMost: MOST,
      },
      {
        ...{
          section,
          name: 'slowest search or bounded list, on the machine of the limits',
          unit: 'ms',
        },
        ...{ value: Math.max(...searches.map(({ ms }) => ms)) / slower, atMost: 150 },
      },
      { section, name: 'upload', value: work.upload, unit: '×', atMost: MOST },
      { section, name: 'signature', value: work.signature, unit: '×', atMost: MOST },
      { section, name: 'export of the log, a row', value: rows, unit: '×', atMost: MOST },
      ...jobFigures(section, jobs),
      {
        ...{ section, name: '/login while jobs and an export run, p99', unit: 'ms' },
        ...{ value: busy / slower, atMost: 100 },
      },
      { section, name: 'start', value: large.startMs / slower, unit: 'ms', atMost: 3_000 },
      { section, name: 'start of the small office', value: small.startMs / slower, unit: 'ms' },
      {
        section,
        name: 'memory after the jobs of the start',
        value: memory,
        unit: 'MB',
        atMost: 350,
      },
    ]
  } finally {
    await Promise.all([small.server.stop(), large.server.stop()])
  }
}

async function newDatabase(server: string, name: string): Promise<string> {
  await withClient(`${server}postgres`, (client) => client.query(`create database ${name}`))
  return `${server}${name}`
}

async function start(databaseUrl: string | undefined, documents: number): Promise<Running> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const environment = databaseUrl ? { DATABASE_URL: databaseUrl } : {}
  let answer = ''
  let filled = 0
  const fill = async (dataFolder: string) => {
    answer = path.join(dataFolder, 'office.json')
    const program = path.join(ROOT, 'tests/support/processes/prepare-large-office.ts')
    const size = [String(documents), String(documents * EVENTS_A_DOCUMENT)]
    const began = performance.now()
    execFileSync(process.execPath, [...QUIET, program, dataFolder, ...size, answer], {
      ...{ stdio: 'inherit', env: { ...process.env, ...environment } },
    })
    // What the database does by itself some minutes after so many rows.
    if (databaseUrl) await withClient(databaseUrl, (client) => client.query('vacuum analyze'))
    filled = performance.now()
    console.error(`  ${documents} documents in ${((filled - began) / 1000).toFixed(0)} s`)
  }
  const variables = { PORT: String(port), METRICS_PORT: String(metricsPort), LOG_LEVEL: 'warn' }
  const server = await startServer('start', { ...variables, ...environment }, fill, MEMORY_FLAGS)
  const origin = `http://localhost:${port}`
  await (await fetch(`${origin}/login`)).text()
  return {
    ...{ server, origin, environment, startMs: performance.now() - filled },
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
    office: JSON.parse(readFileSync(answer, 'utf8')),
  }
}

const ROOT = path.resolve(import.meta.dirname, '../..')
const QUIET = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=4096']

/** How long the answer to a GET takes. @throws {Error} for any other status than 200 */
async function timeOf({ origin }: Running, address: string, cookie: string): Promise<number> {
  const began = performance.now()
  const response = await fetch(origin + address, { headers: { cookie }, redirect: 'manual' })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${address}: ${response.status}`)
  return performance.now() - began
}

type Page = { address: string; ratio: number; ms: number }

async function pageRatios(small: Running, large: Running): Promise<Page[]> {
  const pages: Page[] = []
  const visits = Object.values(VISITS).filter(({ presence }) => !presence)
  const addresses = [
    ...visits.map(({ as, to }) => ({
      as,
      in: ({ office }: Running) => addressOf({ to }, office),
    })),
    ...LISTS.map((list) => ({ as: 'member' as const, in: () => list })),
  ].filter((visit) => !visit.in(small).endsWith('/sign/token'))
  for (const visit of addresses) {
    const ask = (one: Running) => timeOf(one, visit.in(one), visit.as ? one.office[visit.as] : '')
    const [few, many]: [number[], number[]] = [[], []]
    // The first answers compile the page and read its part of the file.
    for (let round = -2; round < ROUNDS; round += 1) {
      const times = [await ask(small), await ask(large)] as const
      if (round >= 0) few.push(times[0])
      if (round >= 0) many.push(times[1])
    }
    const [one, other] = [Math.min(...few), Math.min(...many)]
    const address = visit.in(large)
    pages.push({ address, ratio: (other + NOISE_MS) / (one + NOISE_MS), ms: other })
  }
  return pages
}

const SHOWN = 8

const worstOf = (pages: readonly Page[]) =>
  pages.toSorted((one, other) => other.ratio - one.ratio).slice(0, SHOWN)

/** How many times longer a row of the export of the log takes. */
async function exportRatio(small: Running, large: Running): Promise<number> {
  const timeOfRow = async (one: Running) => {
    const began = performance.now()
    const { member } = one.office
    const response = await fetch(`${one.origin}/dashboard/audit/bitacora.jsonl`, {
      headers: { cookie: member },
    })
    let rows = 0
    for await (const chunk of response.body ?? [])
      for (const byte of chunk) if (byte === 10) rows += 1
    return (performance.now() - began) / rows
  }
  await timeOfRow(small)
  const few = [await timeOfRow(small), await timeOfRow(small), await timeOfRow(small)]
  return (await timeOfRow(large)) / Math.min(...few)
}

/** How many times longer an upload and a signature take, whole use cases with their files. */
async function workRatios(small: Running, large: Running, folder: string) {
  const pdf = path.join(folder, 'small.pdf')
  writeScannedPdf(pdf, 1, 64)
  const content = readFileSync(pdf)
  const offices = await Promise.all(
    [small, large].map(({ server, environment }) =>
      openBatchOffice(server.dataFolder, environment),
    ),
  )
  const times = offices.map(() => ({ upload: [] as number[], signature: [] as number[] }))
  for (let round = -1; round < SIGNATURES; round += 1)
    for (const [index, office] of offices.entries()) {
      const began = performance.now()
      const id = await office.upload(`Poder ${round}`, content)
      const uploaded = performance.now()
      await office.openSession([id])
      const opened = performance.now()
      await office.sign(id)
      if (round < 0) continue
      times[index]?.upload.push(uploaded - began)
      times[index]?.signature.push(performance.now() - opened)
    }
  await Promise.all(offices.map((office) => office.close()))
  const ratio = (what: 'upload' | 'signature') =>
    median(times[1]?.[what] ?? []) / median(times[0]?.[what] ?? [])
  return { upload: ratio('upload'), signature: ratio('signature') }
}

/** p99 of the sign-in page right after the start, while each job runs for the first time and a log is exported. */
async function loginWhileBusy(large: Running): Promise<number> {
  const leaving = new AbortController()
  const exported = fetch(`${large.origin}/dashboard/audit/bitacora.csv`, {
    ...{ headers: { cookie: large.office.member }, signal: leaving.signal },
  }).then((response) => response.arrayBuffer())
  exported.catch(() => {})
  const times: number[] = []
  for (const end = performance.now() + LOGIN_MS; performance.now() < end; ) {
    times.push(await timeOf(large, '/login', ''))
    await pause(20)
  }
  leaving.abort()
  return percentile(times, 0.99)
}

type JobTimes = Map<string, { seconds: number; runs: number }>

/** Seconds that each job took so far, and how often it ran. */
async function jobTimes({ metrics }: Running): Promise<JobTimes> {
  const text = await (await fetch(metrics)).text()
  const times: JobTimes = new Map()
  for (const [, figure, job = '', value] of text.matchAll(
    /^rubrica_job_seconds_(sum|count)\{job="([^"]+)",outcome="done"\} (\S+)$/gm,
  )) {
    const one = times.get(job) ?? { seconds: 0, runs: 0 }
    times.set(job, { ...one, [figure === 'sum' ? 'seconds' : 'runs']: Number(value) })
  }
  return times
}

/** The jobs that took longest in the large office, a run each; those that read each row are not among them. */
function jobFigures(section: string, [small, large]: readonly [JobTimes, JobTimes]): Figure[] {
  const timesOf = (times: JobTimes, job: string) => {
    const { seconds = 0, runs = 1 } = times.get(job) ?? {}
    return (seconds * 1000) / runs
  }
  return [...large.keys()]
    .map((job) => ({ job, few: timesOf(small, job), many: timesOf(large, job) }))
    .toSorted((one, other) => other.many - one.many)
    .slice(0, SHOWN)
    .map(({ job, few, many }) => ({
      ...{ section, name: `job ${job} (${many.toFixed(0)} ms)`, unit: '×' as const },
      value: (many + NOISE_MS) / (few + NOISE_MS),
    }))
}

/** Waits until the jobs of the start have ended. */
async function quiet(one: Running): Promise<void> {
  let before = 0
  for (let waited = 0; waited < 300; waited += 5) {
    await pause(5_000)
    const busy = processorTime(one)
    if (busy - before < 500) return
    before = busy
  }
}

/** In ms. */
function processorTime({ server }: Running): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const memoryOf = ({ server }: Running) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024
