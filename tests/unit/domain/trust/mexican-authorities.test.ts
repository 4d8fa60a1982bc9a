import { expect, test } from 'vitest'
import { MEXICAN_AUTHORITIES, pinOf } from '#server/domain/trust/mexican-authorities.ts'
import { testAuthority } from '#tests/support/authorities/test-authority.ts'

test('each fingerprint is whole and stands there once', () => {
  const fingerprints = MEXICAN_AUTHORITIES.map((pin) => pin.sha256)
  for (const one of fingerprints) expect(one).toMatch(/^[0-9a-f]{64}$/)
  expect(new Set(fingerprints).size).toBe(fingerprints.length)
})

test('pins: no other authority is pinned', async () => {
  expect(pinOf((await testAuthority()).root)).toBeUndefined()
})
