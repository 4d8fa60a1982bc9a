import { beforeAll, expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import type { Irregularity } from '#server/domain/pdf/strict/irregularity.ts'
import { warning } from '#server/domain/verification/codes/warning.ts'
import { type FoundSignature, findSignatures } from '#server/domain/verification/find-signatures.ts'
import {
  contradictingChanges,
  doubtsAbout,
  isReadInTwoWays,
  strictnessOf,
} from '#server/domain/verification/strict-after.ts'
import { appendRevision, type RevisionOptions } from '#tests/attacks/revision.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { type Bodies, bodiesWithPages, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'

let signed: Uint8Array
beforeAll(async () => {
  signed = await handSigned({ seal: sealOf(await testEfirma()), bodies: { 50: '(nada)' } })
}, 60_000)

function strictnessAfter(options: RevisionOptions, bodies: Bodies = {}) {
  const file = appendRevision(signed, { 60: '(nada)', ...bodies }, options)
  const document = readDocument(memorySource(file))
  for (const number of document.objectNumbers) document.object(number)
  return { document, strictness: strictnessOf(document, findSignatures(document).signatures) }
}

test('readers: may see two documents if a later row leads an object of the document elsewhere', () => {
  const content = strictnessAfter({ rows: { 11: [1, 5, 0] } })
  expect([...content.document.misplaced]).toEqual([11])
  expect(content.strictness.isAmbiguous).toBe(true)
  // Whether others lead to objects that readers do not need says nothing about it.
  const both = strictnessAfter({ rows: { 11: [1, 5, 0], 50: [1, 5, 0] } })
  expect([...both.document.misplaced]).toEqual([11, 50])
  expect(both.strictness.isAmbiguous).toBe(true)
  // What is not signed may be mended by each reader in its own way.
  const nothing = { irregularities: [], contradictions: [], isAmbiguous: false }
  expect(strictnessOf(content.document, [])).toEqual(nothing)
})

test.each<[string, RevisionOptions, number[]]>([
  ['no row leads elsewhere', {}, []],
  ['one does to which nothing leads', { rows: { 50: [1, 5, 0] } }, [50]],
])('readers: see one document if %s', (_, options, misplaced) => {
  const { document, strictness } = strictnessAfter(options)
  expect(bodiesWithPages(1)).not.toHaveProperty('50')
  expect([...document.misplaced]).toEqual(misplaced)
  expect(strictness).toMatchObject({ isAmbiguous: false, contradictions: [] })
})

test('readers: see one document if all have to look for an object that no other revision lists', () => {
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents[11 0 R 60 0 R]>>'
  const { document, strictness } = strictnessAfter({ rows: { 60: [1, 5, 0] } }, { 10: page })
  expect([...document.misplaced]).toEqual([60])
  expect(strictness.isAmbiguous).toBe(false)
})

const found = (coverage: string, end: number, revision?: number) =>
  ({ coverage: { coverage, byteRange: [0, 1, 2, end - 2], revision } }) as unknown as FoundSignature

test('readers: are followed strictly from behind the first revision that was signed as a whole', () => {
  const { document } = strictnessAfter({})
  const from = (...signatures: FoundSignature[]) => strictnessOf(document, signatures).from
  expect(from(found('ENTIRE_REVISION', 9, 1), found('ENTIRE_REVISION', 9, 0))).toBe(1)
  expect(from(found('ENTIRE_FILE', 9, 0))).toBeUndefined()
  expect(from(found('UNCLEAR', 9), found('ENTIRE_REVISION', 9, 1))).toBe(2)
})

test('readers: the first doubt behind a signature is told, and none before its end', () => {
  const irregularities = [5, 20, 30].map((offset) => ({ offset })) as unknown as Irregularity[]
  const doubts = (one: FoundSignature) =>
    doubtsAbout({ irregularities, contradictions: [], isAmbiguous: false }, one)
  expect(doubts(found('ENTIRE_REVISION', 20))).toEqual([
    warning('irregular-after-signature', { byte: 20 }),
  ])
  expect(doubts(found('ENTIRE_REVISION', 31))).toEqual([])
  expect(doubts(found('UNCLEAR', 9))).toEqual([])
})

test('readers: another version of an object is told with the revision in which it stands', () => {
  const { document } = strictnessAfter({})
  const [first, second] = document.revisions.map(({ end }) => end)
  const places = [first! - 1, first!, second! - 1, second! + 9]
  const contradictions = places.map((place) => ({ object: 11, place, isSeen: true }))
  const strictness = { irregularities: [], contradictions, isAmbiguous: true }
  const changes = contradictingChanges(document, strictness, found('ENTIRE_REVISION', 9))
  expect(changes.map(({ revision }) => revision)).toEqual([1, 2, 2, 3])
})

test('readers: may see two documents in what was signed if a later revision lists what a row led elsewhere', () => {
  const text = streamBody('BT /F1 24 Tf 30 150 Td (Page 1) Tj ET')
  const isTwofold = (rows: NonNullable<RevisionOptions['rows']>, later: Bodies) => {
    const file = appendRevision(appendRevision(signed, { 60: '(nada)' }, { rows }), later)
    const document = readDocument(memorySource(file))
    const before = document.at(1)
    for (const number of before.objectNumbers) before.object(number)
    const irregularities = [{ offset: signed.length }] as unknown as Irregularity[]
    const strictness = { irregularities, contradictions: [], isAmbiguous: false, from: 1 }
    return isReadInTwoWays(before, document, 1, strictness)
  }
  expect(isTwofold({ 11: [1, 5, 0] }, { 11: text })).toBe(true)
  expect(isTwofold({}, { 11: text })).toBe(false)
})

test('readers: see one document in what was signed as it must be', () => {
  const { document, strictness } = strictnessAfter({})
  const before = readDocument(memorySource(signed))
  expect(strictness.from).toBe(1)
  expect(isReadInTwoWays(before, document, 0, strictness)).toBe(false)
})
