import { expect, test } from 'vitest'
import { sentenceOf } from '#app/islands/security-key-sentences.ts'

/** What browsers throw from `create` and `get`. @see https://www.w3.org/TR/webauthn-3/#sctn-createCredential */
const NAMES = [
  'AbortError',
  'ConstraintError',
  'InvalidStateError',
  'NotAllowedError',
  'NotReadableError',
  'NotSupportedError',
  'OperationError',
  'SecurityError',
  'UnknownError',
  'unsupported',
  '',
]

test.each(NAMES)(
  '%j: has a sentence that says what to do, for registration and sign-in',
  (name) => {
    for (const isRegistration of [true, false])
      expect(sentenceOf(name, isRegistration)).toMatch(
        /^[A-ZÉ].*(?:Use|Conecte|conéctela|Ciérre|Abra).*\.$/,
      )
  },
)

test('a key that is registered already is told from one that was cancelled', () => {
  expect(sentenceOf('InvalidStateError', true)).toBe(
    'Esta llave ya está registrada en su cuenta. Conecte otra.',
  )
  expect(sentenceOf('NotAllowedError', true)).toMatch(/se canceló o pasó el tiempo/)
  expect(sentenceOf('NotAllowedError', false)).toMatch(/no es una de las suyas/)
})
