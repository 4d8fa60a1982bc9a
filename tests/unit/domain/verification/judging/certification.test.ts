import { expect, test } from 'vitest'
import { certificationsOf } from '#server/domain/verification/certification.ts'
import type { ByteRange } from '#server/domain/verification/digests.ts'

const signedUpTo = (byteRange: ByteRange, level?: 1 | 2 | 3) => ({
  dictionary: { references: level ? [{ method: 'DocMDP' as const, level }] : [] },
  coverage: { coverage: 'ENTIRE_REVISION' as const, byteRange },
})

test('certification: holds for its own signature and for those that reach farther, not for earlier ones', () => {
  const earlier = signedUpTo([0, 10, 20, 80])
  const certifying = signedUpTo([0, 110, 120, 80], 2)
  const later = signedUpTo([0, 210, 220, 80])
  expect(certificationsOf([earlier, certifying, later], () => true)).toEqual([
    undefined,
    { level: 2, isOwn: true },
    { level: 2, isOwn: false },
  ])
})

test('certification: the first counts by where its signed bytes end, not by where they begin', () => {
  const first = signedUpTo([0, 10, 20, 80], 2)
  const second = signedUpTo([0, 10, 20, 180], 1)
  const last = signedUpTo([0, 310, 320, 80], 3)
  expect(certificationsOf([last, second, first], () => true)).toEqual([
    { level: 2, isOwn: false },
    { level: 2, isOwn: false },
    { level: 2, isOwn: true },
  ])
})
