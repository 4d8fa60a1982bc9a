import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { headline } from '#server/domain/verification/codes/headline-codes.ts'
import {
  Acknowledgement,
  findingsThatStay,
  isAcknowledged,
  judgementDigest,
  requiredStatements,
  UploadJudgement,
} from '#server/domain/verification/upload-judgement.ts'
import { MORNING } from '#tests/support/builders.ts'

const aJudgement = (changes: Partial<UploadJudgement> = {}): UploadJudgement => ({
  ...UploadJudgement.parse({
    documentId: '5f0c7a52-2f2f-4c87-9d31-0b7d4a0f7c11',
    version: 1,
    sha256: sha256('acta.pdf'),
    verdict: 'INVALID',
    headline: headline('modified-after-signing'),
    findings: [],
    at: MORNING,
  }),
  ...changes,
})

const acknowledged = (
  judgement: UploadJudgement,
  changes: Partial<Acknowledgement> = {},
): Acknowledgement => ({
  ...Acknowledgement.parse({
    ...judgement,
    sentence: 'El documento fue modificado después de firmarse.',
    userId: randomUUID(),
    signerId: null,
    judgement: judgementDigest(judgement),
    statements: requiredStatements(judgement),
  }),
  ...changes,
})

describe('required statements', () => {
  test.each([
    ['NO_SIGNATURE', [], []],
    ['VALID', [], []],
    ['INVALID', [], ['judgement-seen']],
    ['INDETERMINATE', [], ['judgement-seen']],
    ['VALID', ['layers'], ['judgement-seen']],
    ['NO_SIGNATURE', ['attachments'], ['judgement-seen']],
    ['VALID', ['not-drawable'], ['read-elsewhere']],
    ['INVALID', ['javascript', 'not-drawable'], ['judgement-seen', 'read-elsewhere']],
  ] as const)('%s with %j requires %j', (verdict, findings, required) => {
    expect(requiredStatements({ verdict, findings: [...findings] })).toEqual(required)
  })
})

describe('acknowledgement', () => {
  test('covers the judgement that was shown, whatever the order of its findings', () => {
    const seen = aJudgement({ findings: ['xfa', 'layers'] })
    expect(isAcknowledged(seen, [acknowledged(seen)])).toBe(true)
    const turned = aJudgement({ findings: ['layers', 'xfa'], headline: null })
    expect(isAcknowledged(turned, [acknowledged(seen)])).toBe(true)
  })

  test.each<[string, Partial<UploadJudgement>]>([
    ['another file', { sha256: sha256('otra.pdf') }],
    ['another document', { documentId: UploadJudgement.shape.documentId.parse(randomUUID()) }],
    ['another verdict', { verdict: 'INDETERMINATE' }],
    ['one more finding', { findings: ['javascript'] }],
  ])('does not cover %s', (_, changes) => {
    const seen = aJudgement()
    expect(isAcknowledged(aJudgement(changes), [acknowledged(seen)])).toBe(false)
  })

  test('does not cover a judgement that requires one more statement', () => {
    const seen = aJudgement({ findings: ['not-drawable'] })
    const half = acknowledged(seen, { statements: ['judgement-seen'] })
    expect(isAcknowledged(seen, [half])).toBe(false)
  })

  test('is not required of a green file', () => {
    expect(isAcknowledged(aJudgement({ verdict: 'VALID' }), [])).toBe(true)
  })
})

describe('findings of an earlier edition', () => {
  const large = { bytes: (64 << 20) + 1 }
  const found = { findings: ['javascript', 'not-drawable'] as const, edition: 1 }

  test('a page that the first edition did not draw because the file was large is drawn again', () => {
    expect(findingsThatStay(found, large)).toEqual(['javascript'])
  })

  test('any other page that could not be drawn stays a finding', () => {
    expect(findingsThatStay(found, { bytes: 64 << 20 })).toContain('not-drawable')
    expect(findingsThatStay({ ...found, edition: 2 }, large)).toContain('not-drawable')
    expect(findingsThatStay({ ...found, edition: 0 }, large)).toContain('not-drawable')
  })
})
