import { expect, test } from 'vitest'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import { maskedFact } from '#server/domain/verification/codes/masked-fact.ts'
import { warning } from '#server/domain/verification/codes/warning.ts'

test.each([
  ['Firma12', 'Firma12', 'Firma12', '…'],
  ['Firmante-3', 'Firmante-3', 'Firmante-3', '…'],
  ['Firmante-3 Ana', '…', 'Firmante-3', '…'],
  ['Precio de Ana', '…', '1,500,000', '…'],
])(
  'masked fact: hides the value of the field %s and shows only names that we make',
  (field, shown, value, hidden) => {
    const filled = changeFact('field-filled', { field, value })
    expect(maskedFact(filled).parameters).toEqual({ field: shown, value: hidden })
  },
)

const TIME = '2026-11-20T15:00:00.000Z'

test.each([
  warning('claimed-time-before-certificate', { claimedTime: TIME, notBefore: TIME }),
  warning('claimed-time-after-certificate', { claimedTime: TIME, notAfter: TIME }),
  warning('claimed-time-after-proven-time', { claimedTime: TIME, provenTime: TIME }),
  warning('claimed-times-disagree', { claimedTime: TIME, signingTime: TIME }),
  warning('revoked-after-proven-time', { revokedAt: TIME }),
  warning('revoked-since-claimed-time', { revokedAt: TIME, reason: 'superseded' }),
  warning('authority-revocation-not-checked', { authority: 'Autoridad del Estado' }),
  warning('revocation-answer-doubtful', { doubt: 'signature' as never }),
  warning('format-unsupported', { format: 'Own.Format' }),
  warning('timestamps-left-out', { total: 40, listed: 20 }),
  changeFact('other-version-after-signature', { object: 30, page: 1 }),
  changeFact('other-version-after-signature', { object: 30, page: null }),
])('masked fact: times, authorities and numbers stay as they are (%o)', (fact) => {
  expect(maskedFact(fact)).toEqual(fact)
})
