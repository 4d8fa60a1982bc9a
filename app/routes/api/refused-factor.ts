import { type Instant, toTimestamp } from '#server/domain/time.ts'
import { Refused } from './refused.ts'

type Outcome = { attemptsLeft: number; hint?: 'clock' | 'replayed'; serverTime: Instant }

/** Returns the refusal of a wrong factor. */
export function refusedFactor(
  method: string,
  { attemptsLeft, hint, serverTime }: Outcome,
): Refused {
  return new Refused({
    status: 401,
    ...(method === 'WEBAUTHN' ? REFUSED_KEY : codeRefusal(hint)),
    attemptsLeft,
    serverTime: toTimestamp(serverTime),
  })
}

const REFUSED_KEY = {
  code: 'factor-refused',
  detail: 'La llave de seguridad no se aceptó. Use otra llave o un código.',
}

/** Returns code and sentence of a refused TOTP or backup code. */
export function codeRefusal(hint: Outcome['hint']): { code: string; detail: string } {
  switch (hint) {
    case 'replayed':
      return { code: 'code-used', detail: 'El código ya se usó. Espere el siguiente.' }
    case 'clock':
      return {
        code: 'code-of-other-time',
        detail: 'El código es de otra hora. Ajuste la hora de su teléfono a la de serverTime.',
      }
    case undefined:
      return { code: 'wrong-code', detail: 'El código no es correcto o ya se usó.' }
  }
}
