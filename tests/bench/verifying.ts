import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openFile } from '#server/adapters/file-source.ts'
import { instantOf } from '#server/domain/time.ts'
import { verifyFile } from '#server/domain/verification/verify-file.ts'
import { threadTimeOf } from '#tests/support/cpu-time.ts'
import { findProgram } from '#tests/support/machine.ts'
import { filledForm } from '#tests/support/pdf/filled-forms.ts'
import { type Figure, median } from './figures.ts'
import { ROOT, readPeakMegabytes, timeOf, WATCH_MEMORY } from './measured-process.ts'
import { type Cast, makeCast, writeSignedPdf } from './signed-files.ts'

const section = 'Verificar, junto a pdfsig'

type Sample = {
  name: string
  megabytes: number
  signatures: number
  rounds: number
  /** Of our time to that of pdfsig. */
  atMost?: number
}

const SAMPLES: readonly Sample[] = [
  { name: '0.1 MB', megabytes: 0.1, signatures: 1, rounds: 15, atMost: 1 },
  { name: '1 MB', megabytes: 1, signatures: 1, rounds: 15, atMost: 1 },
  { name: '10 MB', megabytes: 10, signatures: 1, rounds: 9 },
  { name: '100 MB', megabytes: 100, signatures: 1, rounds: 5, atMost: 1.5 },
  { name: '51 signatures', megabytes: 0.1, signatures: 51, rounds: 5 },
]

/**
 * The time of verifying in a running process, compared with a whole run of pdfsig on the same file in turns; and
 * the peak memory of a process that does nothing else.
 *
 * @param folder with room for about 120 MB
 */
export async function measureVerifying(folder: string): Promise<Figure[]> {
  const pdfsig = findProgram('pdfsig')
  if (!pdfsig) throw new Error('pdfsig is not on the PATH')
  mkdirSync(folder, { recursive: true })
  const cast = await makeCast()
  const figures: Figure[] = []
  for (const sample of SAMPLES) {
    const file = path.join(folder, 'signed.pdf')
    writeSignedPdf(file, sample.megabytes, sample.signatures, cast)
    figures.push(...(await timesOf(sample, file, pdfsig, cast)))
    if (sample.megabytes === 100) figures.push(await peakOf(folder, file, cast))
    rmSync(file)
  }
  return [...figures, ...(await costOfFilledForm(folder))]
}

const FILLED_FIELDS = 20_000

/** What a form costs in which every field was filled after the signature; a small one is the floor. */
async function costOfFilledForm(folder: string): Promise<Figure[]> {
  const small = path.join(folder, 'small-form.pdf')
  const large = path.join(folder, 'large-form.pdf')
  writeFileSync(small, (await filledForm(1)).file)
  writeFileSync(large, (await filledForm(FILLED_FIELDS)).file)
  const times: number[] = []
  const peaks: number[] = []
  for (let round = 0; round < 3; round++) {
    times.push(await threadTimeOf(() => verifyForm(large)))
    peaks.push(await peakInThread(folder, large))
  }
  const name = `${FILLED_FIELDS} filled fields`
  return [
    {
      section,
      name: `${name}: processor time of the thread`,
      value: median(times),
      unit: 'ms',
      atMost: 5000,
    },
    {
      section,
      name: `${name}: peak memory of a thread and its process`,
      value: Math.max(...peaks),
      unit: 'MB',
      atMost: 256,
    },
    {
      section,
      name: 'one filled field: peak memory of a thread and its process',
      value: await peakInThread(folder, small),
      unit: 'MB',
    },
  ]
}

/** From the disk, as everywhere but in tests: files in memory cost nothing to read again. */
function verifyForm(file: string): void {
  const source = openFile(file)
  try {
    const policy = { anchors: [], candidates: [], at: instantOf(Date.now()) }
    const [signature] = verifyFile(source, file, policy).signatures
    if (signature?.modification !== 'FORM_FILLING')
      throw new Error(`a filled form is ${signature?.modification}`)
  } finally {
    source.close()
  }
}

async function peakInThread(folder: string, file: string): Promise<number> {
  const peak = path.join(folder, 'peak')
  const script = path.join(ROOT, 'tests/bench/verify-in-thread.ts')
  const environment = { PEAK_MEMORY_FILE: peak, NODE_OPTIONS: '' }
  await timeOf(process.execPath, [...WATCH_MEMORY, script, file], environment)
  return readPeakMegabytes(peak)
}

async function timesOf(
  { name, rounds, atMost, signatures }: Sample,
  file: string,
  pdfsig: string,
  { policy }: Cast,
): Promise<Figure[]> {
  const own: number[] = []
  const theirs: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now()
    verifyOnce(file, policy, signatures)
    const took = performance.now() - start
    const peer = await timeOf(pdfsig, ['-nocert', file])
    // The first round warms up both: the compiler of one, the disk of the other.
    if (round === 0) continue
    own.push(took)
    theirs.push(peer)
  }
  const ratio = median(own.map((milliseconds, round) => milliseconds / theirs[round]!))
  const size = (statSync(file).size / 2 ** 20).toFixed(1)
  const limit = signatures > 1 ? { atMost: 1000 } : {}
  return [
    {
      section,
      name: `${name}: time to that of pdfsig`,
      value: ratio,
      unit: '×',
      ...(atMost && { atMost }),
    },
    { section, name: `${name} (${size} MB): time`, value: median(own), unit: 'ms', ...limit },
    { section, name: `${name}: pdfsig`, value: median(theirs), unit: 'ms' },
  ]
}

function verifyOnce(file: string, policy: Cast['policy'], signatures: number): void {
  const source = openFile(file)
  try {
    const report = verifyFile(source, file, policy)
    if (report.verdict !== 'VALID' || report.signatures.length !== signatures)
      throw new Error(
        `${report.verdict}, ${report.signatures.length} signatures: ${report.headline.code}`,
      )
  } finally {
    source.close()
  }
}

async function peakOf(folder: string, file: string, { chain }: Cast): Promise<Figure> {
  const certificates = chain.map((der, index) => {
    const place = path.join(folder, `${index}.cer`)
    writeFileSync(place, der)
    return place
  })
  const peak = path.join(folder, 'peak')
  const script = path.join(ROOT, 'tests/bench/verify-once.ts')
  const environment = { PEAK_MEMORY_FILE: peak, NODE_OPTIONS: '' }
  await timeOf(process.execPath, [...WATCH_MEMORY, script, file, ...certificates], environment)
  return {
    section,
    name: '100 MB: peak memory',
    value: readPeakMegabytes(peak),
    unit: 'MB',
    atMost: 150,
  }
}
