/*
 * `npm run bench`: costs, as a table for people and one line of JSON for programs. Each machine-dependent number
 * has a floor measured in the same run. Reports whether the limits are kept, and fails only if a measurement fails.
 * Measures the named sections, or all but `scale`, which takes an hour; `--documents 100` makes the batch smaller, `--scale 100000` the large office.
 * `--on sqlite` measures `scale` on one database; `--keep FOLDER` keeps its offices, which a later run uses again.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { exitWith, parseCommandLine } from '#tests/runner/command-line.ts'
import { measureBatch } from './batch.ts'
import { measureDashboard } from './dashboard.ts'
import { measureDocumentList } from './document-list.ts'
import { type Figure, passes, tableOf } from './figures.ts'
import { measureLog } from './log.ts'
import { measurePageWeight } from './page-weight.ts'
import { measurePaint } from './paint.ts'
import { measureReading } from './reading.ts'
import { measureScale } from './scale/scale.ts'
import { measureSessionCheck } from './session-check.ts'
import { measureSignIns } from './sign-ins.ts'
import { measureSigning } from './signing.ts'
import { measureSigningInProcess } from './signing-in-process.ts'
import { measureStoring } from './storing.ts'
import { measureThroughput } from './throughput.ts'
import { measureVerifying } from './verifying.ts'

const DIALECTS = ['sqlite', 'postgres'] as const

/** By the name of the section: each measures in a folder of its own. */
const SECTIONS: Record<string, (folder: string) => Promise<Figure[]>> = {
  signing: measureSigning,
  'signing-in-process': measureSigningInProcess,
  batch: (folder) => measureBatch(folder, Number(options.documents)),
  storing: measureStoring,
  verifying: measureVerifying,
  weight: measurePageWeight,
  paint: measurePaint,
  dashboard: measureDashboard,
  documents: measureDocumentList,
  reading: measureReading,
  scale: (folder) =>
    measureScale(options.keep ? path.resolve(options.keep) : folder, {
      documents: Number(options.scale),
      dialects: DIALECTS.filter((dialect) => !options.on || dialect === options.on),
    }),
  sessions: measureSessionCheck,
  'sign-ins': measureSignIns,
  throughput: measureThroughput,
  log: measureLog,
}
const USAGE = `npm run bench -- [SECTION …] [--documents 1000] [--scale 1000000] [--on sqlite|postgres] [--keep FOLDER]
SECTION: ${Object.keys(SECTIONS).join(', ')}`

const { values: options, positionals: wanted } = parseCommandLine(USAGE, {
  options: {
    documents: { type: 'string', default: '1000' },
    scale: { type: 'string', default: '1000000' },
    on: { type: 'string' },
    keep: { type: 'string' },
  },
  allowPositionals: true,
})
const isUnknown = options.on !== undefined && !DIALECTS.some((dialect) => dialect === options.on)
if (isUnknown || wanted.some((name) => !Object.hasOwn(SECTIONS, name))) exitWith(USAGE, 2)

const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-bench-'))
const figures: Figure[] = []
const failures: string[] = []
try {
  for (const [name, measure] of Object.entries(SECTIONS)) {
    if (wanted.length === 0 ? name === 'scale' : !wanted.includes(name)) continue
    console.error(`${name}…`)
    try {
      figures.push(...(await measure(path.join(folder, name))))
    } catch (error) {
      failures.push(name)
      console.error(error)
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

console.log(tableOf(figures))
if (failures.length > 0) console.log(`\nNot measured: ${failures.join(', ')}`)
console.log(
  `\n${JSON.stringify({ figures: figures.map((figure) => ({ ...figure, passes: passes(figure) })), failures })}`,
)
process.exitCode = failures.length === 0 ? 0 : 1
