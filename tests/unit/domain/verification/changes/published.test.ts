import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import { changesAfter } from '#server/domain/verification/changes/changes-after.ts'
import { judgeCoverage } from '#server/domain/verification/coverage.ts'
import { worstLevel } from '#server/domain/verification/modification.ts'

const FOLDER = '../shared/data/signed-pdfs'
const filesOf = (folder: string) =>
  readdirSync(path.join(FOLDER, folder)).map((file) => path.join(FOLDER, folder, file))

/** The most severe change after any signature of a field; UNCLEAR if its coverage is unclear. */
function worstOf(file: string): string {
  const document = readDocument(memorySource(readFileSync(file)))
  const signatures = signatureDictionaries(document).filter(
    ({ fieldNames }) => fieldNames.length > 0,
  )
  const coverages = signatures.map((signature) => judgeCoverage(document, signature))
  if (coverages.some(({ coverage }) => coverage === 'UNCLEAR')) return 'UNCLEAR'
  return worstLevel(
    signatures.flatMap(
      (signature, at) => changesAfter(document, coverages[at]!.revision!, signature).changes,
    ),
  )
}

test('intact file: has no findings', () => {
  for (const file of filesOf('intact'))
    expect(worstOf(file), file).toMatch(/^(NONE|LTA_UPDATES|FORM_FILLING)$/)
})

test('filling a form is called so', () => {
  for (const file of filesOf('form-filled')) expect(worstOf(file), file).toBe('FORM_FILLING')
})

test('modified files are found', () => {
  const missed = filesOf('modified').filter((file) => !/OTHER|UNCLEAR/.test(worstOf(file)))
  // Its "overlap" are links that its pages had before it was signed; nothing was added later but signatures.
  expect(missed.map((file) => path.basename(file))).toEqual(
    missed.length === 0 ? [] : ['pades-multiple-pages-annots-overlap.pdf'],
  )
})
