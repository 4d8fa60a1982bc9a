import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { findProgram } from '#tests/support/machine.ts'
import { openBatchOffice } from './batch-office.ts'
import { type Figure, median } from './figures.ts'
import { timeOfCopy } from './files.ts'
import { writeScannedPdf } from './large-pdf.ts'
import { timeOf } from './measured-process.ts'

const section = 'Firmar 100 MB en el servidor'
const ROUNDS = 3
/** Pages of a picture of 4 MB each. */
const PAGES = 25
const SIDE = 2048

/**
 * The cost of both halves of a signature on a large file in a running server, including verification and storage;
 * its sheet already exists and its key is open.
 *
 * @param folder with room for about 1 GB
 */
export async function measureSigningInProcess(folder: string): Promise<Figure[]> {
  const openssl = findProgram('openssl')
  if (!openssl) throw new Error('openssl is not on the PATH')
  mkdirSync(folder, { recursive: true })
  const place = (name: string) => path.join(folder, name)
  writeScannedPdf(place('small.pdf'), 1, 64)
  writeScannedPdf(place('large.pdf'), PAGES, SIDE)
  const office = await openBatchOffice(place('office'))
  const ratios: number[] = []
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    // The first run warms up and is not measured.
    const file = place(round === 0 ? 'small.pdf' : 'large.pdf')
    const id = await office.upload(`Escritura ${round}`, readFileSync(file))
    await office.openSession([id])
    const start = performance.now()
    await office.sign(id)
    const signed = performance.now() - start
    if (round === 0) continue
    const digested = await timeOf(openssl, ['dgst', '-sha256', file])
    times.push(signed)
    ratios.push(signed / (digested + timeOfCopy(file, place('copy.pdf'))))
  }
  await office.close()
  rmSync(folder, { recursive: true })
  const name = 'both halves'
  return [
    {
      section,
      name: `${name}: time to that of openssl dgst -sha256 and a durable copy`,
      value: median(ratios),
      unit: '×',
      atMost: 2,
    },
    { section, name: `${name}: time`, value: median(times), unit: 'ms' },
  ]
}
