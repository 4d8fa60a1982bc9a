import { expect, test } from 'vitest'
import { reasonOfTimestampFailure } from '#server/words/timestamp-failures.ts'

test.each([
  ['untrusted', /^su certificado no lleva a ninguna autoridad de confianza$/],
  ['time-differs', /revise el reloj$/],
  ['secret-unreadable', /contraseña$/],
  ['status 503', /^respondió con el estado HTTP 503$/],
  ['connect ECONNREFUSED 127.0.0.1:9', /^connect ECONNREFUSED 127\.0\.0\.1:9$/],
  ['constructor', /^constructor$/],
])(
  'an authority that gave no timestamp (%s): the reason is said in Spanish where it has words',
  (reason, expected) => {
    expect(reasonOfTimestampFailure({ reason })).toMatch(expected)
  },
)
