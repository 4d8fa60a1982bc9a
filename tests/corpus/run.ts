/*
 * `npm run corpus -- DIR [--at DATE]`: runs the verifier on a folder of files with known answers. Prints the right
 * and wrong ones per class, with names, and exits with 1 if an answer is wrong.
 */
import path from 'node:path'
import { instantOf, parseInstant } from '#server/domain/time.ts'
import { parseCommandLine } from '#tests/runner/command-line.ts'
import { examine } from './examine.ts'
import { samplesIn } from './samples.ts'
import { summaryOf } from './summary.ts'

const USAGE = 'npm run corpus -- FOLDER [--at 2026-11-20T15:00:00Z]'

async function run(): Promise<number> {
  const { values, positionals } = parseCommandLine(USAGE, {
    allowPositionals: true,
    options: { at: { type: 'string' } },
  })
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) throw new Error(USAGE)
  const at = values.at === undefined ? instantOf(Date.now()) : parseInstant(values.at)
  const place = path.resolve(process.env.INIT_CWD ?? process.cwd(), folder)
  const examined = await examine(place, samplesIn(place), at)
  console.log(summaryOf(examined))
  const wrong = examined.filter(({ fault }) => fault !== undefined)
  const slowest = Math.max(...examined.map(({ seconds }) => seconds))
  console.log(
    `${examined.length - wrong.length} right, ${wrong.length} wrong; the slowest took ${slowest.toFixed(1)} s`,
  )
  return wrong.length === 0 ? 0 : 1
}

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
