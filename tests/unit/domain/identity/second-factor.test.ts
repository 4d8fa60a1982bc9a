import { expect, test } from 'vitest'
import { strongerFactor } from '#server/domain/identity/second-factor.ts'

test.each([
  [null, null, null],
  [null, 'TOTP', 'TOTP'],
  ['TOTP', null, 'TOTP'],
  ['BACKUP_CODE', 'TOTP', 'TOTP'],
  ['WEBAUTHN', 'TOTP', 'WEBAUTHN'],
  ['BACKUP_CODE', 'WEBAUTHN', 'WEBAUTHN'],
] as const)('stronger factor: %s and %s give %s', (one, other, stronger) => {
  expect(strongerFactor(one, other)).toBe(stronger)
  expect(strongerFactor(other, one)).toBe(stronger)
})
