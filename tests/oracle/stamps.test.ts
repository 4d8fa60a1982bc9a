import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'
import { STAMPED, stamped } from '#tests/support/pdf/stamped-pdfs.ts'
import type { Picture } from './look.ts'
import { READERS } from './oracle.ts'
import { areaOf, grayAt, isPixelIn, pixelsIn } from './places.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-stamps-'))
afterAll(() => rmSync(folder, { recursive: true }))

const saved = (name: string, bytes: Uint8Array) => {
  writeFileSync(path.join(folder, name), bytes)
  return path.join(folder, name)
}

/** In points from the upper left corner of the page in letter size. */
const STAMP = { left: 344, right: 594, top: 792 - 94, bottom: 792 - 18 }
/** The QR code: a square at the right edge. */
const CODE = { left: 525, right: 587, top: STAMP.top + 7, bottom: STAMP.bottom - 7 }

test('stamp: the five readers show it in its place, and nothing else changes', async () => {
  const efirma = await testEfirma()
  const file = await handSigned({ seal: sealOf(efirma), bodies: STAMPED.bodies({}) })
  const files = [saved('before.pdf', file), saved('after.pdf', await stamped(file, efirma))]
  for (const reader of READERS) {
    const [before, after] = (await reader.look(files)).map((look) => {
      if ('refusal' in look) throw new Error(`${reader.name}: ${look.refusal}`)
      return look.pages[0]!
    })
    const [old, now] = [before!.picture, after!.picture]
    expect([reader.name, darkPart(old, STAMP)]).toEqual([reader.name, 0])
    expect([reader.name, darkPart(now, CODE) > 0.3]).toEqual([reader.name, true])
    expect([reader.name, differencesOutside(old, now)]).toEqual([reader.name, 0])
    const words = after!.words.map(({ text }) => text).join(' ')
    if (words.includes('Verificar:')) expect(words).toContain('MUÑOZ')
  }
})

function darkPart(picture: Picture, box: typeof STAMP): number {
  const pixels = pixelsIn(areaOf(box, picture))
  return pixels.filter((pixel) => grayAt(picture, pixel) < 160).length / pixels.length
}

function differencesOutside(old: Picture, now: Picture): number {
  const stamp = areaOf({ left: 342, right: 596, top: STAMP.top - 2, bottom: STAMP.bottom + 2 }, now)
  const page = { left: 0, top: 0, right: now.width, bottom: now.height }
  return pixelsIn(page).filter(
    (pixel) => !isPixelIn(stamp, pixel) && Math.abs(grayAt(old, pixel) - grayAt(now, pixel)) > 8,
  ).length
}
