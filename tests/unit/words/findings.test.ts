import { expect, test } from 'vitest'
import { sentenceOfFinding } from '#server/words/findings.ts'

test.each([
  [{ gigabytes: 74, megabytes: 76_012, percent: 29 }, '74 GB libres (29 %)'],
  [{ gigabytes: 1, megabytes: 1024, percent: 5 }, '1 GB libres (5 %)'],
  [{ gigabytes: 0, megabytes: 819, percent: 4 }, '819 MB libres (4 %)'],
])('room of %j on the disk: less than a gigabyte is said in megabytes', (parameters, said) => {
  expect(sentenceOfFinding({ code: 'disk-low', level: 'fault', parameters })).toBe(
    `Queda poco espacio en el disco: ${said}.`,
  )
})
