import { expect, test } from 'vitest'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import { maskedFact } from '#server/domain/verification/codes/masked-fact.ts'

test.each([
  ['Firma12', 'Firma12', 'Firma12', '…'],
  ['Precio de Ana', '…', '1,500,000', '…'],
])(
  'masked fact: hides the value of the field %s and shows only names that we make',
  (field, shown, value, hidden) => {
    const filled = changeFact('field-filled', { field, value })
    expect(maskedFact(filled).parameters).toEqual({ field: shown, value: hidden })
  },
)
