import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createAuthority, mintEfirma } from '#server/demo/certification-authority.ts'
import { after, days, instantOf } from '#server/domain/time.ts'
import { findProgram } from '#tests/support/machine.ts'
import { type Figure, median } from './figures.ts'
import { timeOfCopy } from './files.ts'
import { writeScannedPdf } from './large-pdf.ts'
import { ROOT, readPeakMegabytes, timeOf, WATCH_MEMORY } from './measured-process.ts'

const section = 'Firmar y verificar'
const ROUNDS = 5
const PASSWORD = 'clave-de-medición'

/**
 * Memory and time of signing and verifying from the command line.
 *
 * @param folder with room for about 600 MB
 */
export async function measureSigning(folder: string): Promise<Figure[]> {
  const openssl = findProgram('openssl')
  if (!openssl) throw new Error('openssl is not on the PATH')
  const place = (name: string) => path.join(folder, name)
  await writeEfirma(folder)
  writeScannedPdf(place('small.pdf'), 1, 1024)
  writeScannedPdf(place('large.pdf'), 50, 2048)

  // Into a new file each time: to free the blocks of an old one is work of the file system alone.
  const sign = (size: string) =>
    rubrica(folder, [...SIGN, `${size}.pdf`, '-o', `${size}-signed.pdf`], () =>
      rmSync(place(`${size}-signed.pdf`), { force: true }),
    )
  const verify = (size: string) => rubrica(folder, [...VERIFY, `${size}-signed.pdf`])
  const floor = (name: string) => timeOf(openssl, ['dgst', '-sha256', place(name)])

  const measured: Record<string, Runs> = { sign: noRuns(), verify: noRuns() }
  const copies: number[] = []
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, run, digested] of [
      ['sign', sign, 'large.pdf'],
      ['verify', verify, 'large-signed.pdf'],
    ] as const) {
      const runs = measured[name] as Runs
      runs.small.push(await run('small'))
      runs.large.push(await run('large'))
      runs.floor.push(await floor(digested))
      if (name === 'sign') copies.push(timeOfCopy(place(digested), place('copy.pdf')))
    }
  const bytes = statSync(place('large.pdf')).size
  rmSync(folder, { recursive: true })
  return [
    ...Object.entries(measured).flatMap(([name, runs]) => figuresOf(name, runs, bytes)),
    {
      section,
      name: 'sign: time to that of openssl dgst -sha256 and a durable copy',
      value: median(
        copies.map((copy, round) => {
          const { large, floor } = measured.sign as Runs
          return (large[round]?.milliseconds ?? Number.NaN) / (copy + (floor[round] ?? Number.NaN))
        }),
      ),
      unit: '×',
      atMost: 2,
    },
    { section, name: 'copying the file durably', value: median(copies), unit: 'ms' },
  ]
}

type Run = { milliseconds: number; peak: number }
type Runs = { small: Run[]; large: Run[]; floor: number[] }
const noRuns = (): Runs => ({ small: [], large: [], floor: [] })

const TRUST = ['--trust', 'trust.cer']
const SIGN = [
  'sign',
  '--cer',
  'efirma.cer',
  '--key',
  'efirma.key',
  '--key-password-env',
  'P',
  ...TRUST,
]
const VERIFY = ['verify', ...TRUST]

/**
 * The command that `npm run rubrica` starts, timed as a whole; run again for its memory, because measuring memory
 * takes time.
 */
async function rubrica(folder: string, args: string[], before = () => {}): Promise<Run> {
  const peakFile = path.join(folder, 'peak')
  const program = [path.join(ROOT, 'server/run.mjs'), 'rubrica', ...args]
  // Nothing that this process was given to start quickly: the launcher sees to that itself.
  const environment = { INIT_CWD: folder, P: PASSWORD, NODE_OPTIONS: '', NODE_COMPILE_CACHE: '' }
  before()
  const milliseconds = await timeOf(process.execPath, program, environment)
  before()
  await timeOf(process.execPath, [...WATCH_MEMORY, ...program], {
    ...environment,
    PEAK_MEMORY_FILE: peakFile,
  })
  return { milliseconds, peak: readPeakMegabytes(peakFile) }
}

async function writeEfirma(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const now = instantOf(Date.now())
  const notBefore = after(now, days(-1))
  const authority = await createAuthority({ now: notBefore })
  const { cer, key } = await mintEfirma(authority, {
    kind: 'efirma-natural',
    name: 'PERSONA DE PRUEBA',
    rfc: 'PEPX800101AA1',
    curp: 'PEPX800101HDFRRX01',
    password: PASSWORD,
    serial: '30001000000700000901',
    notBefore,
  })
  const pem = [authority.issuing, authority.root].map(({ der }) => pemOf(der)).join('')
  writeFileSync(path.join(folder, 'efirma.cer'), cer)
  writeFileSync(path.join(folder, 'efirma.key'), key)
  writeFileSync(path.join(folder, 'trust.cer'), pem)
}

const pemOf = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`

function figuresOf(name: string, { small, large, floor }: Runs, bytes: number): Figure[] {
  const megabytes = Math.round(bytes / 1024 / 1024)
  const peaks = (runs: Run[]) => median(runs.map(({ peak }) => peak))
  const times = (runs: Run[]) => median(runs.map(({ milliseconds }) => milliseconds))
  const ratios = (cost: (index: number) => number) =>
    median(floor.map((milliseconds, index) => cost(index) / milliseconds))
  const whole = (index: number) => large[index]?.milliseconds ?? Number.NaN
  const start = (index: number) => small[index]?.milliseconds ?? Number.NaN
  return [
    {
      section,
      name: `${name} ${megabytes} MB: peak memory over that of 1 MB`,
      value: peaks(large) - peaks(small),
      unit: 'MB',
      atMost: 64,
    },
    { section, name: `${name} ${megabytes} MB: peak memory`, value: peaks(large), unit: 'MB' },
    {
      section,
      name: `${name} ${megabytes} MB: time to that of openssl dgst -sha256`,
      value: ratios(whole),
      unit: '×',
      atMost: 2,
    },
    {
      section,
      name: `${name}: the same beyond the time for 1 MB`,
      value: ratios((index) => whole(index) - start(index)),
      unit: '×',
    },
    { section, name: `${name} ${megabytes} MB: time`, value: times(large), unit: 'ms' },
    { section, name: `${name} 1 MB: time, mostly the start`, value: times(small), unit: 'ms' },
    { section, name: `${name}: openssl dgst -sha256`, value: median(floor), unit: 'ms' },
  ]
}
