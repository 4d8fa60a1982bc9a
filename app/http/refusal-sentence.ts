/** The factor that the user showed. */
type Method = 'WEBAUTHN' | 'TOTP' | 'BACKUP_CODE' | 'PASSWORD'

type Refusal = {
  attemptsLeft: number
  hint?: 'clock' | 'replayed'
  /** The server's time for the user to compare: `14:05:32 (hora del centro)`. */
  serverTime: string
}

/** Returns what was wrong with the factor and what to do. */
export function refusalSentence(method: Method, refusal: Refusal): string {
  return `${reason(method, refusal)} ${attempts(refusal.attemptsLeft)}`.trim()
}

function reason(method: Method, { hint, serverTime }: Refusal): string {
  if (hint === 'replayed')
    return 'Ese código ya se usó. Espere a que la aplicación muestre el siguiente y escríbalo.'
  if (hint === 'clock')
    return `El código es de otra hora. En el servidor son las ${serverTime}: active la hora automática en su teléfono y escriba el código que muestre después.`
  switch (method) {
    case 'TOTP':
      return `El código no es correcto. Escriba el que su aplicación muestra ahora; en el servidor son las ${serverTime}.`
    case 'BACKUP_CODE':
      return 'El código no es correcto o ya se usó. Escriba otro de su lista.'
    case 'WEBAUTHN':
      return 'La llave no se aceptó. Intente de nuevo o elija otra forma de verificación.'
    case 'PASSWORD':
      return 'La contraseña no es correcta. Escríbala de nuevo.'
  }
}

function attempts(left: number): string {
  if (left <= 0) return ''
  return left === 1 ? 'Le queda un intento.' : `Le quedan ${left} intentos.`
}
