import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CHOSEN } from '#app/messages/field-names.ts'
import { openBatchOffice } from '#tests/bench/batch-office.ts'
import { type Figure, median, percentile } from '#tests/bench/figures.ts'
import { writeScannedPdf } from '#tests/bench/large-pdf.ts'
import { AS_LONG, LISTS } from '#tests/support/large-lists.ts'
import { addressOf, VISITS, type Visit } from '#tests/support/visits.ts'
import { processorTime, type Running, timeOf } from './servers.ts'

const ROUNDS = 7
const SIGNATURES = 12
/** Shorter differences are those of the clock and of the caches. */
const NOISE_MS = 1
const LOGIN_MS = 15_000

/** A page of the large office, in milliseconds, and against the same page of the small one. */
export type Page = { address: string; ratio: number; ms: number }

/** A page to ask for: the session that asks, and the address in each office. */
type Asked = { as: Visit['as'] | undefined; in: (one: Running) => string }

/** A batch takes what waits for the signer, up to its limit; so these pages are compared with as many documents in both. */
const isBatch = (address: string) => /\/batch(\/|$)/.test(address)

/** Each page and list, the two offices in turn, the fastest of each. */
export async function pageRatios(small: Running, large: Running): Promise<Page[]> {
  const visits = Object.values(VISITS).filter(({ presence }) => !presence)
  const asked: Asked[] = [
    ...visits.map(({ as, to }) => ({ as, in: ({ office }: Running) => addressOf({ to }, office) })),
    ...LISTS.map((list) => ({
      as: 'member' as const,
      in: (one: Running) => (one === small && AS_LONG[list]) || list,
    })),
  ].filter((visit) => !visit.in(small).endsWith('/sign/token'))
  const pages: Page[] = []
  for (const visit of asked) {
    const address = visit.in(large)
    const isFair = visit.as !== 'member' || !isBatch(address)
    const [one, other] = await timesOf(
      small,
      large,
      isFair ? visit : await ofSameSize(visit, small, large),
    )
    pages.push({ address, ratio: (other + NOISE_MS) / (one + NOISE_MS), ms: other })
  }
  return pages
}

/** The batch as it is first shown, with all that waits up to its limit: what a document of it costs in the large office, to one in the small. */
export async function fullBatch(small: Running, large: Running) {
  const visit: Asked = { as: 'member', in: () => '/dashboard/signing/batch' }
  const [one, other] = await timesOf(small, large, visit)
  const [few, many] = [await documentsIn(small, visit), await documentsIn(large, visit)]
  return { documents: many.length, ms: other, row: other / many.length / (one / few.length) }
}

async function timesOf(small: Running, large: Running, visit: Asked): Promise<[number, number]> {
  const ask = (one: Running) => timeOf(one, visit.in(one), visit.as ? one.office[visit.as] : '')
  const [few, many]: [number[], number[]] = [[], []]
  // The first answers compile the page and read its part of the file.
  for (let round = -2; round < ROUNDS; round += 1) {
    const times = [await ask(small), await ask(large)] as const
    if (round >= 0) few.push(times[0])
    if (round >= 0) many.push(times[1])
  }
  return [Math.min(...few), Math.min(...many)]
}

/** The same batch in both offices with the first documents of each, as many as the smaller batch has. */
async function ofSameSize(visit: Asked, small: Running, large: Running): Promise<Asked> {
  const [few, many] = [await documentsIn(small, visit), await documentsIn(large, visit)]
  const most = Math.min(few.length, many.length)
  const chosen = (ids: readonly string[]) =>
    new URLSearchParams(ids.slice(0, most).map((id) => [CHOSEN, id]))
  return { ...visit, in: (one) => `${visit.in(one)}?${chosen(one === small ? few : many)}` }
}

/** The ids of the documents of a batch. */
async function documentsIn(one: Running, visit: Asked): Promise<string[]> {
  const response = await fetch(one.origin + visit.in(one), {
    headers: { cookie: one.office.member },
  })
  const ids = (await response.text()).matchAll(/ data-batch-document="([^"]+)"/g)
  return Array.from(ids, ([, id = '']) => id)
}

const SHOWN = 16

/** The pages that cost most more than in the small office. */
export const worstOf = (pages: readonly Page[]) =>
  pages.toSorted((one, other) => other.ratio - one.ratio).slice(0, SHOWN)

/** How many times longer a row of the export of the log takes. */
export async function exportRatio(small: Running, large: Running): Promise<number> {
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
export async function workRatios(small: Running, large: Running, folder: string) {
  const pdf = path.join(folder, 'small.pdf')
  writeScannedPdf(pdf, 1, 64)
  const content = readFileSync(pdf)
  const offices = await Promise.all(
    [small, large].map(({ environment }) => openBatchOffice(environment.DATA_DIR, environment)),
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

/** p99 in ms of the sign-in page right after the start, while each job runs for the first time and a log is exported. */
export async function loginWhileBusy(large: Running): Promise<number> {
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

export type JobTimes = Map<string, { seconds: number; runs: number }>

/** Seconds that each job took so far, and how often it ran. */
export async function jobTimes({ metrics }: Running): Promise<JobTimes> {
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
export function jobFigures(
  section: string,
  [small, large]: readonly [JobTimes, JobTimes],
): Figure[] {
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
export async function quiet(one: Running): Promise<void> {
  let before = 0
  for (let waited = 0; waited < 300; waited += 5) {
    await pause(5_000)
    const busy = processorTime(one)
    if (busy - before < 500) return
    before = busy
  }
}
