import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { DialectName } from '#server/db/database.ts'
import type { Figure } from '#tests/bench/figures.ts'
import { timesSlower } from '#tests/support/floor.ts'
import { SEARCHES } from '#tests/support/large-lists.ts'
import { startPostgresServer } from '#tests/support/postgres-server.ts'
import {
  exportRatio,
  fullBatch,
  jobFigures,
  jobTimes,
  loginWhileBusy,
  type Page,
  pageRatios,
  quiet,
  workRatios,
  worstOf,
} from './ratios.ts'
import { memoryOf, startOffice } from './servers.ts'
import { measureTwoProcesses } from './two-processes.ts'

/** The office that others are compared with. */
const SMALL = 1_000
/** What costs the same in an office of any size may cost so many times more in a large one. */
const MOST = 1.5

export type ScaleOptions = {
  /** Of the large office. */
  documents: number
  dialects: readonly DialectName[]
}

/**
 * What pages, lists, searches, uploads, signatures, exports and jobs cost in an office with so many documents, and ten times
 * as many events, against one with a thousand. The two servers run side by side and are asked in turn.
 *
 * @param folder for the databases, 20 GB each for a million documents; offices that it holds are used again
 */
export async function measureScale(
  folder: string,
  { documents, dialects }: ScaleOptions,
): Promise<Figure[]> {
  mkdirSync(folder, { recursive: true })
  const figures: Figure[] = []
  for (const dialect of dialects) {
    const postgres =
      dialect === 'postgres' ? await startPostgresServer(path.join(folder, 'postgres')) : undefined
    try {
      figures.push(...(await measureOn(dialect, folder, documents, postgres?.url)))
    } finally {
      await postgres?.stop()
    }
  }
  return figures
}

async function measureOn(
  dialect: DialectName,
  folder: string,
  documents: number,
  postgres: string | undefined,
): Promise<Figure[]> {
  const section = `${documents.toLocaleString('en')} documents against ${SMALL.toLocaleString('en')} (${dialect})`
  const small = await startOffice(folder, SMALL, postgres)
  const large = await startOffice(folder, documents, postgres)
  try {
    const busy = await loginWhileBusy(large)
    await Promise.all([quiet(small), quiet(large)])
    const memory = memoryOf(large)
    const jobs = [await jobTimes(small), await jobTimes(large)] as const
    const pages = await pageRatios(small, large)
    const batch = await fullBatch(small, large)
    const rows = await exportRatio(small, large)
    const work = await workRatios(small, large, folder)
    const twice = dialect === 'postgres' ? await measureTwoProcesses(small) : undefined
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
      {
        ...{
          section,
          name: `batch of ${batch.documents} documents (${batch.ms.toFixed(0)} ms), a document`,
        },
        ...{ value: batch.row, unit: '×' as const, atMost: MOST },
      },
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
      ...(twice === undefined
        ? []
        : [
            {
              ...{ section, name: 'processor a page with two processes, to one' },
              ...{ value: twice, unit: '×' as const, atMost: 1.1 },
            },
          ]),
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
