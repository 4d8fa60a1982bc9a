import { expect, test } from 'vitest'
import { serverSigningPolicies } from '#server/words/signing.ts'

/** What a select box shows on a screen of 390 pixels; the browser cuts the rest. */
const SHOWN = 36

test('signing on the server: each choice of the policy fits the select box of a phone', () => {
  for (const choice of Object.values(serverSigningPolicies))
    expect(choice.length, choice).toBeLessThanOrEqual(SHOWN)
})
