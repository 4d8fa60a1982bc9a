const ABORTED =
  'No se completó: se canceló o pasó el tiempo. Conecte la llave, tóquela cuando parpadee e intente de nuevo.'
const NO_ANSWER = 'La llave no respondió. Retírela, conéctela otra vez e intente de nuevo.'

/**
 * What the user can do after a failed key request. Browsers report the same error for a missing key and for
 * a cancelled dialog.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-createCredential
 */
const SENTENCES: Record<string, string> = {
  AbortError: ABORTED,
  NotAllowedError: ABORTED,
  ConstraintError:
    'La llave no puede comprobar su identidad con un PIN o una huella. Use otra llave u otra forma de verificación.',
  InvalidStateError: 'La llave no es una de las suyas. Use la que registró.',
  NotReadableError: NO_ANSWER,
  NotSupportedError: 'La llave es de un tipo que el sistema no acepta. Use otra llave.',
  OperationError: 'Otra ventana está usando la llave. Ciérrela e intente de nuevo.',
  SecurityError:
    'En esta dirección no se pueden usar llaves. Abra el sistema en la dirección que le dio su notaría.',
  unsupported:
    'Este navegador no puede usar llaves de seguridad. Use Chrome, Edge, Firefox o Safari al día.',
}

const AT_REGISTRATION: Record<string, string> = {
  InvalidStateError: 'Esta llave ya está registrada en su cuenta. Conecte otra.',
}

const AT_AUTHENTICATION: Record<string, string> = {
  NotAllowedError:
    'No se completó: se canceló, pasó el tiempo o la llave no es una de las suyas. Conecte la que registró e intente de nuevo.',
}

/** @param name of the `DOMException`, `unsupported`, or any other text for an unexpected error */
export function sentenceOf(name: string, isRegistration: boolean): string {
  const particular = isRegistration ? AT_REGISTRATION : AT_AUTHENTICATION
  return particular[name] ?? SENTENCES[name] ?? NO_ANSWER
}
