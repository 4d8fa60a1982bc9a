import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { verifyFile } from '#server/domain/verification/verify-file.ts'
import { deedBodies, layOut } from '#tests/attacks/deed.ts'
import { signDeed } from '#tests/attacks/sign-deed.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'

/** 10 MB, in an object stream. */
function largeNotes() {
  const numbers = Array.from({ length: 500 }, (_, at) => 1000 + at)
  const plain = deedBodies()
  const references = numbers.map((number) => `${number} 0 R`).join(' ')
  const catalog = plain[1]!.replace(/>>$/, `/PieceInfo<</Notas<</Private[${references}]>>>>>>`)
  const notes = Object.fromEntries(
    numbers.map((number) => [number, `(${String(number).repeat(5000)})`]),
  )
  return { ...plain, 1: catalog, ...notes }
}

test('a large document in object streams is valid with each of its many signatures', async () => {
  let deed = layOut(largeNotes(), 'object stream')
  for (let number = 70; number < 90; number += 1)
    deed = await signDeed(deed, { number: number * 100 })
  const report = verifyFile(memorySource(deed.file), 'a.pdf', await testPolicy())
  expect(report.signatures.map(({ modification }) => modification)).toEqual(
    Array.from({ length: 20 }, (_, at) => (at < 19 ? 'FORM_FILLING' : 'NONE')),
  )
  expect(report.verdict).toBe('VALID')
}, 180_000)
