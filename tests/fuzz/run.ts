/*
 * `npm run fuzz -- --seed N --count N [--keep FOLDER]`: mutated inputs for every reader of untrusted bytes. No
 * reader may crash, hang, or accept an input that the original did not allow. Exits with 1 on a fault and keeps the
 * faulty inputs in FOLDER.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { exitWith, parseCommandLine } from '#tests/runner/command-line.ts'
import { fuzz } from './fuzz.ts'

const USAGE = 'npm run fuzz -- [--seed 1] [--count 100000] [--keep FOLDER]'

const { values } = parseCommandLine(USAGE, {
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100000' },
    keep: { type: 'string' },
  },
})
const [seed, count] = [Number(values.seed), Number(values.count)]
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(count) || count < 1) exitWith(USAGE, 2)

const start = performance.now()
const { tried, counts, faults } = await fuzz(seed, count)
for (const { number, reader, origin, fault } of faults)
  console.log(`✗ ${number} ${reader} (${origin}): ${fault}`)
if (values.keep !== undefined && faults.length > 0) {
  const folder = path.resolve(process.env.INIT_CWD ?? process.cwd(), values.keep)
  mkdirSync(folder, { recursive: true })
  for (const { number, reader, bytes } of faults)
    writeFileSync(path.join(folder, `${seed}-${number}-${reader}.bin`), bytes)
}
const readers = Object.entries(counts).map(([reader, times]) => `${reader} ${times}`)
const seconds = (performance.now() - start) / 1000
console.log(
  `${tried} inputs (${readers.join(', ')}) in ${seconds.toFixed(0)} s, ${faults.length} wrong`,
)
process.exitCode = faults.length === 0 ? 0 : 1
