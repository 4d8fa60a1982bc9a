import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { decodeJpeg } from '#server/domain/pdf/pictures/jpeg.ts'
import { bodiesWithPages, pdfWithTable, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { picturesIn } from './look.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-jpeg-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Letters and areas in gray and in colour. */
const PAGE = streamBody(
  '0.9 0.8 1 rg 0 0 400 90 re f 1 0 0 rg 20 300 60 90 re f 0 0.4 0.1 rg BT /F1 48 Tf 30 150 Td (3,141,592) Tj ET 0.5 g 150 20 31 33 re f',
)

function drawn(...flags: string[]): Uint8Array {
  const bodies = bodiesWithPages(1)
  const file = path.join(folder, 'page.pdf')
  writeFileSync(file, pdfWithTable({ ...bodies, 11: PAGE }))
  execFileSync('pdftoppm', [
    '-q',
    '-singlefile',
    '-r',
    '90',
    ...flags,
    file,
    path.join(folder, 'page'),
  ])
  return readFileSync(path.join(folder, flags.includes('-jpeg') ? 'page.jpg' : 'page.pgm'))
}

test.each(['progressive=n', 'progressive=y', 'progressive=n,optimize=y'])(
  'JPEG (%s): the brightness is that of the page from which Poppler made it',
  (options) => {
    const [page] = picturesIn(drawn('-gray'))
    const [found] = decodeJpeg(drawn('-jpeg', '-jpegopt', `quality=95,${options}`)) ?? []
    expect(found).toMatchObject({ width: page?.width, height: page?.height })
    expect(page?.gray.some((shade) => shade < 100)).toBe(true)
    const differences = page!.gray.map((shade, at) => Math.abs(shade - found!.samples[at]!))
    const total = differences.reduce((sum, one) => sum + one, 0)
    expect(total / differences.length).toBeLessThan(2)
    expect(differences.filter((one) => one > 48).length).toBeLessThan(differences.length / 1000)
  },
)
