/*
 * `npm run oracle -- [--count N] [--seed N] [--threads N] [--keep FOLDER]`: files with a mutated revision behind
 * their signature; those that the verifier calls VALID are drawn by five readers, and must look as they were signed.
 *
 * `npm run oracle -- --good FOLDER --trust PEM…`: files of other programs with honest changes, which must not be
 * refused. Without a folder, files that the programs of this machine sign.
 *
 * Exits with 1 on a difference or a refusal, and keeps these files in FOLDER.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Judge, prepareJudges } from '#tests/support/machine.ts'
import { drawMutatedFiles, type Result } from './mutated-files.ts'

const USAGE = `npm run oracle -- [--count 20000] [--seed 1] [--threads N] [--keep FOLDER]`
const PROGRAMS: readonly Judge[] = ['pdftoppm', 'pdftotext', 'mutool', 'gs']
const PROGRESS_MS = 10_000

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      threads: { type: 'string', default: String(availableParallelism()) },
      keep: { type: 'string', default: 'test-results/oracle' },
      'no-install': { type: 'boolean', default: false },
    },
  })
  const missing = prepareJudges(PROGRAMS, { mayInstall: !values['no-install'] })
  if (missing !== undefined) throw new Error(missing)
  const keep = path.resolve(process.env.INIT_CWD ?? process.cwd(), values.keep)
  const [count, seed, threads] = [values.count, values.seed, values.threads].map(wholeNumber)
  return drawn({ count: count!, seed: seed!, threads: threads! }, keep)
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(USAGE)
  return Number(text)
}

async function drawn(
  wanted: { count: number; seed: number; threads: number },
  keep: string,
): Promise<number> {
  const start = performance.now()
  const lineOf = ({ made, valid, drawn, found }: Result) => {
    const seconds = (performance.now() - start) / 1000
    return `${made} made, ${valid} called VALID, ${drawn} drawn, ${found.length} with a difference; ${seconds.toFixed(0)} s, ${(made / seconds).toFixed(1)} a second`
  }
  let last = start
  const result = await drawMutatedFiles(wanted, (now) => {
    if (performance.now() - last < PROGRESS_MS) return
    last = performance.now()
    console.log(lineOf(now))
  })
  for (const { number, name, differences, file } of result.found) {
    console.log(`✗ ${name}\n${differences.map((one) => `    ${one}`).join('\n')}`)
    mkdirSync(keep, { recursive: true })
    writeFileSync(path.join(keep, `${wanted.seed}-${number}.pdf`), file)
  }
  for (const [reader, files] of Object.entries(result.unread))
    console.log(`✗ ${reader} opens ${files} files neither as signed nor whole`)
  console.log(`seed ${wanted.seed}: ${lineOf(result)}`)
  return result.found.length + Object.keys(result.unread).length === 0 ? 0 : 1
}

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
