import { expect, test } from 'vitest'
import { refusalSentence } from '#app/http/refusal-sentence.ts'

const serverTime = '14:05:32 (hora del centro)'

test.each([
  ['TOTP', 2, undefined, /^El código no es correcto\..* 14:05:32 .*Le quedan 2 intentos\.$/],
  ['TOTP', 3, 'clock', /^El código es de otra hora\..* 14:05:32 .*Le quedan 3 intentos\.$/],
  ['TOTP', 3, 'replayed', /^Ese código ya se usó\. .*Le quedan 3 intentos\.$/],
  ['BACKUP_CODE', 1, undefined, /^El código no es correcto o ya se usó\. .*Le queda un intento\.$/],
  ['WEBAUTHN', 0, undefined, /^La llave no se aceptó\. Intente de nuevo .* verificación\.$/],
  ['PASSWORD', -1, undefined, /^La contraseña no es correcta\. Escríbala de nuevo\.$/],
] as const)(
  'refused %s with %i attempts left, hint %s: says what was wrong, what to do and what is left',
  (method, attemptsLeft, hint, sentence) => {
    const refusal = { attemptsLeft, serverTime, ...(hint && { hint }) }
    expect(refusalSentence(method, refusal)).toMatch(sentence)
  },
)
