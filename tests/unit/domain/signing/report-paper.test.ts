import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type ReportText, renderReport } from '#server/domain/signing/report-paper.ts'
import { judge } from '#tests/support/judges.ts'
import { sheetFonts } from './sheet-fonts.ts'

const folder = mkdtempSync(join(tmpdir(), 'rubrica-report-'))
afterAll(() => rmSync(folder, { recursive: true }))

const text: ReportText = {
  tone: 'good',
  word: 'Válido',
  sentence: 'Documento íntegro y firmado.',
  meaning: ['Lo que se firmó no ha cambiado desde entonces.'],
  isTest: false,
  warnings: [],
  facts: [
    { name: 'Folio', value: '2026-000006' },
    { name: 'Huella digital (SHA-256)', value: 'cdcd '.repeat(16).trim() },
  ],
  entries: [
    {
      title: 'M**** Á****** N****',
      tone: 'good',
      lines: ['Firma válida. 20 nov 2026, 09:28 (hora del centro), según quien firmó.'],
      checks: [
        { isGood: true, text: 'Lo que se firmó está íntegro' },
        { isGood: false, text: 'La firma no corresponde al certificado' },
      ],
      details: [{ name: 'RFC', value: 'NUI*******E56' }],
    },
  ],
  qrCode: null,
  foot: 'https://rubrica.example.mx/verify/3f0e7f0a-52c4-4b54-9f0e-6d1c92d5a7b1',
}

function saved(bytes: Uint8Array): string {
  const path = join(folder, 'report.pdf')
  writeFileSync(path, bytes)
  return path
}

const textIn = (bytes: Uint8Array) =>
  judge('pdftotext')('-layout', saved(bytes), '-').output.replace(/\s+/g, ' ')

const textsOf = (checks: ReportText['entries'][number]['checks']) =>
  checks.map(({ text: said }) => said)

test('all that it is told can be read back, and the same text gives the same bytes', async () => {
  const file = await renderReport(text, sheetFonts)
  expect(await renderReport(text, sheetFonts)).toEqual(file)
  const read = textIn(file)
  for (const part of [text.sentence, text.word, text.foot, ...text.meaning, 'Página 1 de 2'])
    expect(read).toContain(part)
  for (const { title, lines, checks, details } of text.entries)
    for (const part of [title, ...lines, ...textsOf(checks), ...details.map(({ value }) => value)])
      expect(read).toContain(part)
  expect(read).not.toContain('prueba')
})

test('qpdf accepts it, and its fonts are embedded subsets', async () => {
  const path = saved(await renderReport({ ...text, isTest: true }, sheetFonts))
  expect(judge('qpdf')('--check', path).status).toBe(0)
  const fonts = judge('pdffonts')(path).output.trim().split('\n').slice(2)
  for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+RubricaSans-\w+ .* yes yes yes /)
  expect(textIn(await renderReport({ ...text, isTest: true }, sheetFonts))).toContain('de prueba')
})

test('a long one goes on behind the first page; an endless one says where the rest is', async () => {
  const entry = text.entries[0]!
  const long = { ...text, entries: Array.from({ length: 30 }, () => entry) }
  expect(textIn(await renderReport(long, sheetFonts))).toMatch(/Página 3 de [45]/)
  const warnings = Array.from({ length: 4000 }, (_, index) => `Aviso ${index}`)
  const read = textIn(await renderReport({ ...text, warnings }, sheetFonts))
  expect(read).toContain('Página 40 de 40')
  expect(read).toContain('El informe es más largo: consulte el archivo JSON.')
})

test('three signatures with details take two pages, with a QR code on the first', () => {
  const entry = {
    ...text.entries[0]!,
    checks: Array.from({ length: 5 }, () => ({
      isGood: true,
      text: 'Lo que se firmó está íntegro',
    })),
    details: Array.from({ length: 14 }, (_, index) => ({
      name: `Dato ${index}`,
      value: 'x'.repeat(60),
    })),
  }
  const facts = Array.from({ length: 11 }, (_, index) => ({ name: `Dato ${index}`, value: 'y' }))
  const meaning = [...text.meaning, ...text.meaning]
  const qrCode = text.foot
  const file = renderReport(
    { ...text, meaning, facts, qrCode, entries: [entry, entry, entry] },
    sheetFonts,
  )
  expect(textIn(file)).toContain('Página 2 de 2')
  const [first = '', second = ''] = judge('pdftotext')('-layout', saved(file), '-').output.split(
    '\f',
  )
  expect(first).toContain('Compruébelo aquí')
  expect(first).not.toContain('Detalle técnico')
  expect(second).toContain('Detalle técnico')
})

const pagesOf = (bytes: Uint8Array) =>
  judge('pdftotext')('-layout', saved(bytes), '-').output.split('\f').slice(0, -1)

/** A signature whose texts all name it. */
const signature = (number: number, rows: number): ReportText['entries'][number] => ({
  title: `Firmante ${number}`,
  tone: 'good',
  lines: [
    `Firma válida de ${number}.`,
    ...Array.from({ length: rows }, () => `Aviso de ${number}.`),
  ],
  checks: Array.from({ length: 4 }, () => ({ isGood: true, text: `Comprobado de ${number}` })),
  details: [{ name: 'RFC', value: `RFC de ${number}` }],
})
const signatures = (count: number, rows: number) =>
  Array.from({ length: count }, (_, index) => signature(index + 1, rows))

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
  'three signatures with %i more lines each: two pages, and none is split over them',
  (rows) => {
    const file = renderReport({ ...text, entries: signatures(3, rows) }, sheetFonts)
    const pages = pagesOf(file)
    expect(pages).toHaveLength(2)
    for (const number of [1, 2, 3])
      expect(
        pages.filter((page) => new RegExp(`(válida|Aviso|Comprobado) de ${number}`).test(page)),
      ).toHaveLength(1)
  },
)

test('signature that would cost a page: split between its lines, its name repeated and its verdict beside it', () => {
  // Whole, they are three on each of three pages.
  const pages = pagesOf(renderReport({ ...text, entries: signatures(3, 36) }, sheetFonts))
  const split = [1, 2, 3].filter(
    (number) => pages.filter((page) => page.includes(`Aviso de ${number}.`)).length > 1,
  )
  expect(split.length).toBeGreaterThan(0)
  for (const number of [1, 2, 3]) {
    const first = pages.find((page) => page.includes(`Firmante ${number}\n`))
    expect(first).toContain(`Firma válida de ${number}.`)
    for (const page of pages.filter((one) => one.includes(`Aviso de ${number}.`)))
      expect(page).toMatch(new RegExp(`Firmante ${number}( \\(continúa\\))?\\n`))
  }
})

test('short details share a row, and long ones stand below them', () => {
  const details = [
    {
      name: 'Revocación',
      value: 'El certificado no había sido revocado, según la respuesta de la autoridad',
    },
    { name: 'RFC', value: 'NUI*******E56' },
    { name: 'Campo', value: 'Firma1' },
    { name: 'Formato', value: 'PAdES' },
  ]
  const [, second = ''] = pagesOf(
    renderReport({ ...text, entries: [{ ...text.entries[0]!, details }] }, sheetFonts),
  )
  expect(second).toMatch(/RFC +NUI\*+E56 +Campo +Firma1\n/)
  expect(second.indexOf('Formato')).toBeLessThan(second.indexOf('Revocación'))
})

test('checks: a tick or a cross is drawn, no letter of a font', () => {
  const withCheck = (isGood: boolean) =>
    renderReport(
      { ...text, entries: [{ ...text.entries[0]!, checks: [{ isGood, text: 'íntegro' }] }] },
      sheetFonts,
    )
  const read = textIn(withCheck(true))
  expect(read).not.toMatch(/[+✓✔□] íntegro/)
  expect(read).toBe(textIn(withCheck(false)))
  expect(withCheck(true)).not.toEqual(withCheck(false))
})
