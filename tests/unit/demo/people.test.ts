import { expect, test } from 'vitest'
import { GUEST, PEOPLE } from '#server/demo/people.ts'
import { Curp, hasCurpCheckDigit } from '#server/domain/identity/curp.ts'
import { hasRfcCheckDigit, Rfc } from '#server/domain/identity/rfc.ts'

test.each([...PEOPLE, GUEST])(
  'demo people: the RFC and the CURP of $slug have their check digits',
  ({ rfc, curp }) => {
    expect(hasRfcCheckDigit(Rfc.parse(rfc))).toBe(true)
    expect(hasCurpCheckDigit(Curp.parse(curp))).toBe(true)
  },
)
