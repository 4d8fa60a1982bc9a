import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { MEMORY_FLAGS } from '#tests/support/processes/memory-flags.ts'
import type { BatchCost, Spent } from './batch-once.ts'
import { onFirstCore } from './demo-server.ts'
import type { Figure } from './figures.ts'
import { ROOT } from './measured-process.ts'

const section = 'Firmar por lotes, en un núcleo'
/** After this time no further document is signed; the signed ones are counted. */
const PATIENCE_MS = 150_000

/**
 * The cost of a document in a complete batch: uploaded, prepared with its sheet, signed with a key that is opened
 * once, verified, stored durably and recorded; on SQLite, without HTTP.
 *
 * @param folder with room for about twice the bytes of the documents, which are up to 1 MB each
 */
export async function measureBatch(folder: string, documents: number): Promise<Figure[]> {
  mkdirSync(folder, { recursive: true })
  const script = path.join(ROOT, 'tests/bench/batch-once.ts')
  const [program, ...args] = onFirstCore([
    process.execPath,
    ...MEMORY_FLAGS,
    script,
    ...[folder, String(documents), String(PATIENCE_MS)],
  ])
  const options = { cwd: ROOT, env: { ...process.env, NODE_OPTIONS: '' } }
  const { stdout } = await promisify(execFile)(program, args, options)
  return figuresOf(JSON.parse(stdout))
}

type Cost = { time: number; processor: number }

const each = ({ time, processor, documents }: Spent): Cost => ({
  time: time / documents,
  processor: processor / documents,
})

const together = (...costs: Cost[]): Cost => ({
  time: costs.reduce((sum, { time }) => sum + time, 0),
  processor: costs.reduce((sum, { processor }) => sum + processor, 0),
})

function figuresOf({ floor, upload, open, sign, peers }: BatchCost): Figure[] {
  const least = each(floor)
  const signed = together(each(open), each(sign))
  const whole = together(each(upload), signed)
  return [
    ...ratios('prepare, sign, verify, store, record: to the floor', signed, least, 4),
    ...Object.entries(peers).flatMap(([name, spent]) =>
      ratios(`the same: to ${name} signing alone`, signed, each(spent), 1),
    ),
    ...ratios('with the upload: to the floor', whole, least),
    ...ratios('opening the session alone: to the floor', each(open), least),
    { section, name: 'documents signed', value: sign.documents, unit: '' },
  ]
}

/** By the clock; and of the processor, which does not wait for the disk nor for others on the machine. */
function ratios(name: string, cost: Cost, least: Cost, atMost?: number): Figure[] {
  const figure = { section, unit: '×' } as const
  return [
    { ...figure, name, value: cost.time / least.time, ...(atMost && { atMost }) },
    { ...figure, name: `${name}, of the processor`, value: cost.processor / least.processor },
  ]
}
