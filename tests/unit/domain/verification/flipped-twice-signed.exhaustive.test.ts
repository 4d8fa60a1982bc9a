import { beforeAll, expect, test } from 'vitest'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { signDeed, signedDeed } from '#tests/attacks/sign-deed.ts'
import { signatureText } from '#tests/attacks/signature-text.ts'
import { judgedWithFlip, maskFor, range } from '#tests/support/pdf/flipped-files.ts'
import { textOf } from '#tests/support/pdf/pdf-builders.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'

/* A deed that two people signed: the second signature is over the first one, too. */

let file: Uint8Array
let policy: VerificationPolicy
let first: { start: number; end: number }
let second: { start: number; end: number }

beforeAll(async () => {
  const once = await signedDeed()
  file = (await signDeed(once, { number: 42 })).file
  policy = await testPolicy()
  first = signatureText(once.file).contents
  const start = textOf(file).lastIndexOf('/Contents <') + '/Contents '.length
  second = { start, end: textOf(file).indexOf('>', start) + 1 }
})

test('every byte but the second signature itself', { timeout: 240_000 }, () => {
  const overlooked: string[] = []
  const places = [
    ...range(0, first.start),
    // The second signature is over all of it, padding or not.
    ...range(first.start, first.end, 16),
    ...range(first.end, second.start),
    ...range(second.end, file.length),
  ]
  for (const at of places) {
    const mask = maskFor(at)
    const { verdict, signatures } = judgedWithFlip(file, { at, mask }, policy)
    const last = signatures.find(({ field }) => field === 'Firma42')
    const isFound =
      ['INVALID', 'INDETERMINATE', 'NOT_A_PDF'].includes(verdict) &&
      !(last?.intact && last.coverage !== 'UNCLEAR')
    if (!isFound) overlooked.push(`${at} ^ ${mask}: ${verdict}`)
  }
  expect(overlooked).toEqual([])
})

test('a changed byte of the first signature invalidates both', { timeout: 60_000 }, () => {
  for (const at of range(0, first.start, 37)) {
    const { signatures } = judgedWithFlip(file, { at, mask: maskFor(at) }, policy)
    expect(signatures.filter(({ intact, coverage }) => intact && coverage !== 'UNCLEAR')).toEqual(
      [],
    )
  }
})
