import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { examine } from '#tests/corpus/examine.ts'
import { samplesIn } from '#tests/corpus/samples.ts'
import { summaryOf } from '#tests/corpus/summary.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import {
  appendTable,
  bodiesWithPages,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'

/** A folder with these files. */
function aCorpus(files: Record<string, Uint8Array | string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-corpus-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  return folder
}

async function someFiles() {
  const good = await handSigned({ seal: sealOf(await testEfirma()) })
  const replaced = appendTable(good, { 11: streamBody('BT /F1 24 Tf (otra) Tj ET') })
  return { good, replaced, plain: pdfWithTable(bodiesWithPages(1)) }
}

test('folders name the answer, and every file got it', async () => {
  const { good, replaced, plain } = await someFiles()
  const folder = aCorpus({
    'intact/a.pdf': good,
    'intact/more/b.PDF': good,
    'modified/a.pdf': replaced,
    'no-signature/a.pdf': plain,
    'terminates/a.pdf': 'nada',
    'terminates/notes.txt': 'nada',
    'something-else/a.pdf': 'nada',
  })
  const samples = samplesIn(folder)
  expect(samples.map(({ kind }) => kind)).toEqual([
    'intact',
    'intact',
    'modified',
    'no-signature',
    'terminates',
  ])
  const examined = await examine(folder, samples, TEST_NOW)
  expect(examined.map(({ fault }) => fault)).toEqual(samples.map(() => undefined))
  expect(summaryOf(examined).split('\n')).toContain('✓ intact: 2 right, 0 wrong')
})

test('a list names the answer before the folder does, and wrong answers are told', async () => {
  const { good, replaced, plain } = await someFiles()
  const folder = aCorpus({
    'intact/a.pdf': good,
    'intact/b.pdf': replaced,
    'c.pdf': plain,
    'expected.json': JSON.stringify([
      { file: 'intact/a.pdf', expect: 'modified' },
      { file: 'c.pdf', expect: 'broken' },
    ]),
  })
  const examined = await examine(folder, samplesIn(folder), TEST_NOW)
  expect(summaryOf(examined).split('\n')).toEqual([
    '✗ intact: 0 right, 1 wrong',
    '    intact/b.pdf: Firma1: modified (INVALID / INVALID)',
    '✗ modified: 0 right, 1 wrong',
    expect.stringContaining('intact/a.pdf: overlooked'),
    '✗ broken: 0 right, 1 wrong',
    '    c.pdf: overlooked: NO_SIGNATURE (NO_SIGNATURE / NO_SIGNATURE)',
  ])
})

test('a corpus that says nothing is a mistake', () => {
  expect(() => samplesIn(aCorpus({ 'a.pdf': 'x' }))).toThrow(/no PDF/)
  const unknown = JSON.stringify([{ file: 'a.pdf', expect: 'good' }])
  expect(() => samplesIn(aCorpus({ 'a.pdf': 'x', 'expected.json': unknown }))).toThrow(/no class/)
  const missing = JSON.stringify([{ file: 'b.pdf', expect: 'intact' }])
  expect(() => samplesIn(aCorpus({ 'expected.json': missing }))).toThrow(/missing/)
})
