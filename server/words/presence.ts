import type { PresenceFault } from '#server/domain/signing/check-exported-presence.ts'

/** What is wrong with a proof of presence, es-MX. */
export const PRESENCE_FAULTS: Record<PresenceFault, string> = {
  'list-not-canonical': 'La lista de documentos no está en su forma canónica (RFC 8785).',
  'list-digest': 'El SHA-256 de la lista no es el que se dice.',
  'other-signer': 'La lista es de otra persona.',
  life: 'Dice valer más de cinco minutos.',
  challenge: 'El reto no corresponde a esta lista de documentos.',
  'client-data': 'Lo que dijo el navegador no es una comprobación de presencia.',
  'client-challenge': 'La llave respondió a otro reto.',
  origin: 'La llave se usó en otra dirección, o dentro de otra página.',
  'relying-party': 'La llave respondió a otro sistema.',
  'user-not-present': 'Nadie tocó la llave.',
  'user-not-verified': 'La llave no pidió su PIN ni una huella.',
  'authenticator-data': 'La respuesta de la llave no se puede leer.',
  key: 'La clave pública de la llave no se puede leer o es de un tipo que no se acepta.',
  signature: 'La firma de la llave no corresponde a lo que respondió.',
  counter: 'La cuenta de la llave retrocedió: puede existir una copia.',
  log: 'La bitácora no dice lo mismo, o no dice nada.',
}
