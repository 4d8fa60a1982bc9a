import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { SheetFacts } from '#server/domain/signing/increment.ts'
import { finishPaper, LETTER } from '#server/domain/signing/paper.ts'
import {
  drawSignatureSheets,
  sheetsFor,
  signatureSlots,
} from '#server/domain/signing/signature-sheet.ts'
import { declared } from '#tests/support/characters.ts'
import { judge } from '#tests/support/judges.ts'
import { sheetFonts } from './sheet-fonts.ts'

const folder = mkdtempSync(join(tmpdir(), 'rubrica-sheet-'))
afterAll(() => rmSync(folder, { recursive: true }))

const publicAddress = {
  url: 'https://rubrica.example.mx/verify/3f0e7f0a-52c4-4b54-9f0e-6d1c92d5a7b1',
  code: 'K7QM-2P9X-TT4R-8',
}
const facts: SheetFacts = {
  folio: 'N12-2026-000123',
  kind: 'Copia certificada',
  title: '¿Copia? ¡Sí! Ñandú, pingüino, áéíóú ÁÉÍÓÚÜ “Muñoz & Núñez” — №',
  office: 'Notaría 12 de la Ciudad de México',
  publicAddress,
  originalSha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  isDemo: false,
}

const LETTER_PAPER = { size: LETTER, fonts: sheetFonts }

const render = (changes: Partial<SheetFacts> = {}, size = LETTER) =>
  finishPaper(drawSignatureSheets({ ...facts, ...changes }, [], { size, fonts: sheetFonts }))

function saved(bytes: Uint8Array): string {
  const path = join(folder, 'sheet.pdf')
  writeFileSync(path, bytes)
  return path
}

const textOf = (bytes: Uint8Array) =>
  judge('pdftotext')('-raw', saved(bytes), '-').output.replace(/\s+/g, ' ')

test('the same facts give the same bytes, other facts give others', () => {
  const first = render()
  expect(render()).toEqual(first)
  expect(render({ folio: 'N12-2026-000124' })).not.toEqual(first)
})

test('every letter can be read back', () => {
  const text = textOf(render())
  for (const part of [facts.title, facts.office, facts.folio, publicAddress.code])
    expect(text).toContain(part)
  expect(text.replaceAll(' ', '')).toContain(facts.originalSha256)
  expect(text).toContain(publicAddress.url)
  expect(text).toContain('representación impresa')
  expect(text).not.toContain('PRUEBA')
})

test('caution: on every sheet, and none without one', () => {
  const caution = 'No sustituye la firma en el protocolo'
  const awaited = Array.from({ length: signatureSlots(LETTER).length + 1 }, (_, index) => ({
    ...{ fieldName: `Firmante-${index}`, name: `Ana ${index}`, character: declared('Testigo') },
  }))
  const sheets = drawSignatureSheets({ ...facts, caution }, awaited, LETTER_PAPER)
  expect(textOf(finishPaper(sheets)).split(caution)).toHaveLength(3)
  expect(textOf(render())).not.toContain('No sustituye')
})

test('without public look-up: no address, code or QR', () => {
  const sheet = render({ publicAddress: null })
  const text = textOf(sheet)
  expect(text).not.toMatch(/http|verifi|Verifi|K7QM/)
  expect(text).toContain('en la notaría que lo expidió')
  expect(text).toContain(facts.folio)
  expect(sheet.length).toBeLessThan(render().length)
})

test('names the document and, if it has one, its place in the protocol', () => {
  const instrument = 'Instrumento: 45,213 · Volumen: 1,204 · Comparecientes: Vendedora: Íñiga Peña'
  expect(textOf(render({ instrument }))).toContain(instrument)
  expect(textOf(render())).toContain(facts.kind)
  expect(textOf(render())).not.toContain('Instrumento')
})

test.each([
  ['one line', 'Compraventa'],
  ['two lines', 'Compraventa de la casa marcada con el número 4 de la calle de Francisco Sosa'],
])(
  'under a title of %s the data of the instrument belong to it and not to the folio',
  (_, title) => {
    const instrument = `Instrumento: 45,213 · Volumen: 1,204 · ${'Vendedora: Íñiga Peña; '.repeat(4)}aquí`
    const boxes = judge('pdftotext')('-bbox', saved(render({ title, instrument })), '-').output
    const boxOf = (word: string) => {
      const found = new RegExp(`yMin="([\\d.]+)" xMax="[\\d.]+" yMax="([\\d.]+)">${word}<`).exec(
        boxes,
      )
      if (!found) throw new Error(`no ${word} on the sheet`)
      return { top: Number(found[1]), bottom: Number(found[2]) }
    }
    const above = boxOf('Instrumento:').top - boxOf(title.split(' ').at(-1) ?? '').bottom
    const below = boxOf('Folio').top - boxOf('aquí').bottom
    expect(above).toBeLessThan(below)
    expect(below).toBeGreaterThan(3)
  },
)

test('qpdf accepts it, and its fonts are embedded subsets', () => {
  const path = saved(render({ isDemo: true }))
  expect(judge('qpdf')('--check', path).status).toBe(0)
  const fonts = judge('pdffonts')(path).output.trim().split('\n').slice(2)
  expect(fonts).toHaveLength(2)
  for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+RubricaSans-\w+ .* yes yes yes /)
})

describe('too much text', () => {
  test('a decomposed letter is composed, an unknown sign becomes a question mark', () => {
    const title = 'Espan\u0303a \u{1f58b} \u202eacta'
    expect(textOf(render({ title }))).toContain('España ? acta')
  })

  test.each([
    ['words', 'palabra '.repeat(25)],
    ['one word', 'W'.repeat(200)],
    ['nothing', ''],
  ])('a title of %s stays inside the page', (_, title) => {
    const sheet = render({ title, office: title, instrument: title })
    const boxes = judge('pdftotext')('-bbox', saved(sheet), '-').output
    const right = [...boxes.matchAll(/xMax="([\d.]+)"/g)].map(([, x]) => Number(x))
    expect(Math.max(...right)).toBeLessThanOrEqual(612 - 47)
  })
})

const PAPERS = [
  ['letter', LETTER, 8],
  ['A4', { width: 595.28, height: 841.89 }, 8],
  ['oficio', { width: 612.28, height: 963.78 }, 10],
  ['Mexican oficio', { width: 612, height: 964.8 }, 10],
  ['legal', { width: 612, height: 1008 }, 12],
  ['narrow', { width: 580, height: 760 }, 6],
] as const

test.each(PAPERS)(
  'the slots of a sheet in %s lie on it and apart from each other',
  (_, size, count) => {
    const slots = signatureSlots(size)
    expect(slots).toHaveLength(count)
    for (const [index, slot] of slots.entries()) {
      expect(slot.x).toBeGreaterThanOrEqual(30)
      expect(slot.y).toBeGreaterThanOrEqual(36)
      expect(slot.x + slot.width).toBeLessThanOrEqual(size.width - 30)
      for (const other of slots.slice(index + 1))
        expect(
          slot.x + slot.width < other.x ||
            other.x + other.width < slot.x ||
            other.y + other.height < slot.y,
        ).toBe(true)
    }
  },
)

test('signature slots: few, whatever size a strange file states', () => {
  expect(signatureSlots({ width: 612, height: 1e12 })).toHaveLength(12)
  expect(signatureSlots({ width: 612, height: 10 })).toEqual([])
})

test.each(PAPERS)('a sheet in %s has all of its text inside its margins', (_, size) => {
  const title = 'palabra '.repeat(25)
  const path = saved(render({ title, office: title, instrument: title, isDemo: true }, size))
  const info = judge('pdfinfo')(path).output
  const [, width, height] = /Page size: +([\d.]+) x ([\d.]+) pts/.exec(info) ?? []
  expect(Number(width)).toBeCloseTo(size.width, 1)
  expect(Number(height)).toBeCloseTo(size.height, 1)
  const boxes = judge('pdftotext')('-bbox', path, '-').output
  const edge = (name: string) =>
    [...boxes.matchAll(new RegExp(`${name}="([\\d.]+)"`, 'g'))].map(([, at]) => Number(at))
  expect(Math.min(...edge('xMin'))).toBeGreaterThanOrEqual((size.width - 516) / 2 - 1)
  expect(Math.max(...edge('xMax'))).toBeLessThanOrEqual((size.width + 516) / 2 + 1)
  expect(Math.max(...edge('yMax'))).toBeLessThanOrEqual(size.height)
})

test('signature sheet: a demo says twice on every sheet that nothing of it is valid', () => {
  const awaited = Array.from({ length: 9 }, (_, index) => ({
    fieldName: `Firmante-${index + 1}`,
    name: 'Íñigo',
    character: declared('Compareciente'),
  }))
  const paper = drawSignatureSheets({ ...facts, isDemo: true }, awaited, LETTER_PAPER)
  const pages = judge('pdftotext')('-raw', saved(finishPaper(paper)), '-').output.split('\f')
  const notices = pages.map((page) => page.match(/DOCUMENTO DE PRUEBA · SIN VALIDEZ/g)?.length ?? 0)
  expect(notices.slice(0, 3)).toEqual([2, 2, 0])
})

describe('signatures that are awaited', () => {
  const awaited = Array.from({ length: 9 }, (_, index) => ({
    fieldName: `Firmante-${index + 1}`,
    name: `Íñigo Nº ${index + 1}`,
    character: declared('Compareciente'),
  }))
  const textsOf = (bytes: Uint8Array) =>
    judge('pdftotext')('-raw', saved(bytes), '-').output.split('\f').slice(0, -1)

  test('have a page each after the sheets, without names', () => {
    const pages = textsOf(finishPaper(drawSignatureSheets(facts, awaited, LETTER_PAPER)))
    expect([sheetsFor(awaited, LETTER), pages.length]).toEqual([2, 11])
    expect(pages[0]).toContain('Hoja 1 de 2')
    expect(pages[1]).toContain('Hoja 2 de 2')
    for (const sheet of pages.slice(0, 2)) expect(sheet).not.toContain('Íñigo')
    expect(pages.slice(2).map((text) => text.trim().split('\n'))).toEqual(
      awaited.map(({ name }) => [name, 'Carácter declarado: Compareciente', 'Pendiente de firma']),
    )
  })

  test('a single sheet does not count itself', () => {
    const paper = drawSignatureSheets(facts, awaited.slice(0, 8), LETTER_PAPER)
    expect(textsOf(finishPaper(paper))[0]).not.toContain('Hoja 1')
  })
})
