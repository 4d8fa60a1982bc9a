/*
 * `npm run oracle -- [--count N] [--seed N] [--threads N] [--honest N] [--keep FOLDER]`: files with a mutated revision
 * behind their signature; those that the verifier calls VALID are drawn by five readers, and must look as they were
 * signed. Then honest files that the programs of this machine write and sign, none of which may be refused.
 *
 * `npm run oracle -- --only N,N --seed N`: the mutated files of these numbers, to see a difference again.
 *
 * `npm run oracle -- --good FOLDER --trust PLACE`: the honest files of a folder, with the authorities that issued
 * their certificates.
 *
 * Exits with 1 on a difference or a refusal, and keeps these files in FOLDER.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { readCertificates } from '#server/adapters/trust-store.ts'
import { instantOf } from '#server/domain/time.ts'
import { anchorsFromCertificates } from '#server/domain/trust/anchors.ts'
import { parseCommandLine } from '#tests/runner/command-line.ts'
import { type Judge, prepareJudges } from '#tests/support/machine.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'
import { type Judged, judgeGoodFiles } from './good.ts'
import { type GoodFile, goodFiles } from './good-files.ts'
import { drawMutatedFiles, type Result, type Wanted } from './mutated-files.ts'
import { inFolder } from './readers/programs.ts'

const USAGE = `npm run oracle -- [--count 20000] [--seed 1] [--threads N] [--honest 1000] [--keep FOLDER]
npm run oracle -- --only N,N [--seed 1]
npm run oracle -- --good FOLDER --trust PLACE`
const READING: readonly Judge[] = ['pdftoppm', 'pdftotext', 'mutool', 'gs']
const SIGNING: readonly Judge[] = [
  ...(['openssl', 'certutil', 'pk12util'] as const),
  ...(['pdfsig', 'pdftocairo', 'qpdf'] as const),
]
const PROGRESS_MS = 10_000

async function run(): Promise<number> {
  const { values } = parseCommandLine(USAGE, {
    options: {
      count: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      threads: { type: 'string', default: String(availableParallelism()) },
      honest: { type: 'string', default: '1000' },
      only: { type: 'string' },
      good: { type: 'string' },
      trust: { type: 'string' },
      keep: { type: 'string', default: 'test-results/oracle' },
      'no-install': { type: 'boolean', default: false },
    },
  })
  const { good, trust } = values
  if ((good === undefined) !== (trust === undefined)) throw new Error(USAGE)
  const missing = prepareJudges([...READING, ...SIGNING], { mayInstall: !values['no-install'] })
  if (missing !== undefined) throw new Error(missing)
  const keep = placeOf(values.keep)
  if (good !== undefined && trust !== undefined)
    return (await isGoodFolder(placeOf(good), placeOf(trust), keep)) ? 0 : 1
  const [count, seed, threads, honest] = (['count', 'seed', 'threads', 'honest'] as const).map(
    (name) => wholeNumber(values[name]),
  )
  if (values.only !== undefined) {
    const numbers = values.only.split(',').map(wholeNumber)
    return (await areMutatedAlike({ numbers, seed: seed!, threads: 1 }, keep)) ? 0 : 1
  }
  const numbers = Array.from({ length: count! }, (_, at) => at)
  const isDrawnAlike = await areMutatedAlike({ numbers, seed: seed!, threads: threads! }, keep)
  return (await areHonestGood(honest!, keep)) && isDrawnAlike ? 0 : 1
}

const placeOf = (name: string) => path.resolve(process.env.INIT_CWD ?? process.cwd(), name)

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(USAGE)
  return Number(text)
}

async function areMutatedAlike(wanted: Wanted, keep: string): Promise<boolean> {
  if (wanted.numbers.length === 0) return true
  const start = performance.now()
  const lineOf = ({ made, valid, drawn, found }: Result) => {
    const seconds = (performance.now() - start) / 1000
    return `${made} made, ${valid} called VALID, ${drawn} drawn, ${found.length} with a difference; ${seconds.toFixed(0)} s, ${(made / seconds).toFixed(1)} a second`
  }
  let last = start
  let shown = 0
  const result = await drawMutatedFiles(wanted, (now) => {
    for (const { number, name, differences, file } of now.found.slice(shown))
      show(name, differences, { folder: keep, name: `${wanted.seed}-${number}.pdf`, file })
    shown = now.found.length
    if (performance.now() - last < PROGRESS_MS) return
    last = performance.now()
    console.log(lineOf(now))
  })
  for (const [reader, files] of Object.entries(result.unread))
    console.log(
      `✗ ${reader} opens ${files.length} files neither as signed nor whole: ${files.toSorted((one, other) => one - other).join(', ')}`,
    )
  console.log(`seed ${wanted.seed}: ${lineOf(result)}`)
  // Some signed parts are crooked themselves; a reader that opens hardly any file is not working.
  const isRead = Object.values(result.unread).every(({ length }) => length < result.drawn / 10)
  return result.found.length === 0 && isRead
}

/** Those that a program of this machine cannot make of another's are counted. */
async function areHonestGood(most: number, keep: string): Promise<boolean> {
  if (most === 0) return true
  const left: string[] = []
  const judged = await inFolder(async (folder) => {
    async function* made(): AsyncGenerator<GoodFile> {
      let count = 0
      for await (const one of goodFiles(folder)) {
        if ('reason' in one) left.push(`${one.name}: ${one.reason}`)
        else {
          yield one
          count += 1
          if (count % 100 === 0) console.log(`${count} honest files made`)
          if (count >= most) return
        }
      }
    }
    // The clock of the other programs is the real one.
    return judgeGoodFiles(made(), await testPolicy({ at: instantOf(Date.now()) }), showing(keep))
  })
  console.log(
    `${left.length} honest files could not be made: one program refuses what another wrote`,
  )
  return isGood(judged)
}

async function isGoodFolder(folder: string, trust: string, keep: string): Promise<boolean> {
  const { anchors, candidates } = anchorsFromCertificates(readCertificates(trust), {
    label: 'Indicada con --trust',
    forTesting: true,
    revocation: 'when-available',
  })
  if (anchors.length === 0) throw new Error(`no authority in ${trust}`)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.pdf$/i.test(name))
    .toSorted()
    .map((name) => ({ name, file: new Uint8Array(readFileSync(path.join(folder, name))) }))
  if (files.length === 0) throw new Error(`no PDF in ${folder}`)
  const policy = { anchors, candidates, at: instantOf(Date.now()) }
  return isGood(await judgeGoodFiles(files, policy, showing(keep)))
}

const showing =
  (folder: string) =>
  (at: number, { name, file, faults }: Judged['found'][number]) =>
    show(name, faults, { folder, name: `good-${at}.pdf`, file })

function isGood({ count, verdicts, drawn, found }: Judged): boolean {
  const counted = Object.entries(verdicts).map(([verdict, files]) => `${files} ${verdict}`)
  console.log(
    `${count} honest files: ${counted.join(', ')}; ${drawn} drawn; ${found.length} refused or with a difference`,
  )
  return found.length === 0
}

function show(
  title: string,
  faults: readonly string[],
  kept: { folder: string; name: string; file: Uint8Array },
): void {
  console.log(`✗ ${title} (${kept.name})\n${faults.map((one) => `    ${one}`).join('\n')}`)
  mkdirSync(kept.folder, { recursive: true })
  writeFileSync(path.join(kept.folder, kept.name), kept.file)
}

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
