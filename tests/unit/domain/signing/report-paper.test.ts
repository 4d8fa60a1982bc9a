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
      facts: [{ name: 'RFC', value: 'NUI*******E56' }],
    },
  ],
  foot: 'https://rubrica.example.mx/verify/3f0e7f0a-52c4-4b54-9f0e-6d1c92d5a7b1',
}

function saved(bytes: Uint8Array): string {
  const path = join(folder, 'report.pdf')
  writeFileSync(path, bytes)
  return path
}

const textIn = (bytes: Uint8Array) =>
  judge('pdftotext')('-layout', saved(bytes), '-').output.replace(/\s+/g, ' ')

test('all that it is told can be read back, and the same text gives the same bytes', async () => {
  const file = await renderReport(text, sheetFonts)
  expect(await renderReport(text, sheetFonts)).toEqual(file)
  const read = textIn(file)
  for (const part of [text.sentence, text.word, text.foot, ...text.meaning, 'Página 1 de 1'])
    expect(read).toContain(part)
  for (const { title, lines, facts } of text.entries)
    for (const part of [title, ...lines, ...facts.map(({ value }) => value)])
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
  const long = { ...text, entries: Array.from({ length: 20 }, () => entry) }
  expect(textIn(await renderReport(long, sheetFonts))).toContain('Página 2 de 3')
  const warnings = Array.from({ length: 4000 }, (_, index) => `Aviso ${index}`)
  const read = textIn(await renderReport({ ...text, warnings }, sheetFonts))
  expect(read).toContain('Página 40 de 40')
  expect(read).toContain('El informe es más largo: consulte el archivo JSON.')
})
