import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type {
  DeclaredCharacter,
  SigningCharacter,
} from '#server/domain/identity/signing-character.ts'
import { finishPaper } from '#server/domain/signing/paper.ts'
import { drawSignatureAppearance } from '#server/domain/signing/signature-appearance.ts'
import { signatureSlots } from '#server/domain/signing/signature-sheet.ts'
import { parseInstant } from '#server/domain/time.ts'
import { TITULAR } from '#tests/support/characters.ts'
import { judge } from '#tests/support/judges.ts'
import { sheetFonts } from './sheet-fonts.ts'

const folder = mkdtempSync(join(tmpdir(), 'rubrica-appearance-'))
afterAll(() => rmSync(folder, { recursive: true }))

const at = parseInstant('2026-11-20T15:05:00Z')
const slot = signatureSlots({ width: 612, height: 792 })[0]!
const caption = {
  name: 'María Ñandú Güemes',
  character: TITULAR as SigningCharacter,
  rfc: 'CAÑF770131PA3',
  certificateNumber: '00001000000500003282',
}

const render = (changes: Partial<typeof caption> = {}) =>
  finishPaper(
    drawSignatureAppearance(
      { ...caption, ...changes },
      at,
      'America/Mexico_City',
      slot,
      sheetFonts,
    ),
  )

function saved(bytes: Uint8Array): string {
  const path = join(folder, 'appearance.pdf')
  writeFileSync(path, bytes)
  return path
}

test('the caption can be read back', () => {
  const text = judge('pdftotext')('-raw', saved(render()), '-').output
  expect(text.trim().split('\n').sort()).toEqual(
    [
      'María Ñandú Güemes',
      'Notario titular',
      'RFC CAÑF770131PA3',
      'Certificado 0000 1000 0005 0000 3282',
      'Firmado el 20 nov 2026, 09:05 (hora del centro)',
      'e.firma',
    ].sort(),
  )
})

test('the page has the size of the slot, and qpdf accepts it', () => {
  const path = saved(render())
  expect(judge('qpdf')('--check', path).status).toBe(0)
  const page = judge('pdftotext')('-bbox', path, '-').output
  expect(page).toMatch(/<page width="250\.0*" height="76\.0*">/)
})

test('the same caption gives the same bytes', () => {
  expect(render()).toEqual(render())
})

test.each([
  ['long words', 'palabra '.repeat(30)],
  ['one endless word', 'Ñ'.repeat(150)],
])('%s stay inside the slot', (_, text) => {
  const path = saved(
    render({
      name: text,
      character: { kind: 'declared', texts: [text as DeclaredCharacter] },
      rfc: text,
    }),
  )
  const boxes = judge('pdftotext')('-bbox', path, '-').output
  const words = [
    ...boxes.matchAll(/<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.]+)" yMax="([\d.]+)"/g),
  ]
  for (const [, xMin, yMin, xMax, yMax] of words) {
    expect(Number(xMin)).toBeGreaterThanOrEqual(0)
    expect(Number(yMin)).toBeGreaterThanOrEqual(0)
    expect(Number(xMax)).toBeLessThanOrEqual(slot.width)
    expect(Number(yMax)).toBeLessThanOrEqual(slot.height)
  }
})

test('a signer without RFC has no empty line', () => {
  const text = judge('pdftotext')('-raw', saved(render({ rfc: '' })), '-').output
  expect(text).not.toContain('RFC')
})
