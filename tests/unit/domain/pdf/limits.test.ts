import { expect, test } from 'vitest'
import { workMeter } from '#server/domain/pdf/limits.ts'

const TOO_COMPLEX = expect.objectContaining({ code: 'too-complex' })

test('work meter: refuses a cost that is no number, and all work after it', () => {
  const meter = workMeter(1000)
  meter.spend(1000)
  expect(() => meter.spend(Number.NaN)).toThrow(TOO_COMPLEX)
  expect(() => meter.spend(1)).toThrow(TOO_COMPLEX)
})
