import type {
  AttestationFault,
  AttestedFacts,
  PinPolicy,
  TouchPolicy,
} from '#server/domain/yubikeys/attestation-statement.ts'
import type { KeyOrigin } from '#server/domain/yubikeys/certificate-in-key.ts'
import type { Conflict } from '#server/domain/yubikeys/conflicts.ts'
import type { EndOfCredentials } from '#server/domain/yubikeys/credentials-of-a-key.ts'
import type { AttestationVerdict } from '#server/domain/yubikeys/judge-attestation.ts'
import type {
  FormFactor,
  YubikeyChangeKind,
  YubikeyState,
} from '#server/domain/yubikeys/yubikey.ts'

/* Words for the physical keys of an office, es-MX. */

export const yubikeyStates: Record<YubikeyState, string> = {
  'in-stock': 'En resguardo',
  assigned: 'Entregada',
  lost: 'Perdida',
  retired: 'Dada de baja',
}

/** For a filter of many. */
export const yubikeyStatesOfMany: Record<YubikeyState, string> = {
  'in-stock': 'En resguardo',
  assigned: 'Entregadas',
  lost: 'Perdidas',
  retired: 'Dadas de baja',
}

export const formFactors: Record<FormFactor, string> = {
  'usb-a-keychain': 'USB-A, de llavero',
  'usb-a-nano': 'USB-A, nano',
  'usb-c-keychain': 'USB-C, de llavero',
  'usb-c-nano': 'USB-C, nano',
  'usb-c-lightning': 'USB-C y Lightning',
  'usb-a-bio': 'USB-A, con lector de huella',
  'usb-c-bio': 'USB-C, con lector de huella',
}

export const variants: Record<NonNullable<AttestedFacts['variant']>, string> = {
  fips: 'Serie certificada FIPS 140',
  'security-key': 'Security Key',
}

/** What happened to a key. @param holder who had or got it */
export function sentenceOfChange(kind: YubikeyChangeKind, holder: string | null): string {
  const whom = holder ?? 'una persona'
  switch (kind) {
    case 'registered':
      return 'Se registró en el inventario'
    case 'attested':
      return 'Se guardó una atestación'
    case 'handed-over':
      return `Se entregó a ${whom}`
    case 'taken-back':
      return `La devolvió ${whom}`
    case 'credential-linked':
      return 'Se ligó una llave de seguridad'
    case 'credential-unlinked':
      return 'Se desligó una llave de seguridad'
    case 'certificate-linked':
      return 'Se ligó un certificado'
    case 'certificate-unlinked':
      return 'Se desligó el certificado'
    case 'lost':
      return holder ? `Se reportó perdida; la tenía ${whom}` : 'Se reportó perdida'
    case 'found':
      return 'Se recuperó'
    case 'retired':
      return 'Se dio de baja'
  }
}

export const pinPolicies: Record<PinPolicy, string> = {
  never: 'Nunca pide el NIP',
  once: 'Pide el NIP una vez por sesión',
  always: 'Pide el NIP cada vez',
  'match-once': 'Pide la huella o el NIP una vez por sesión',
  'match-always': 'Pide la huella o el NIP cada vez',
  unknown: 'De un tipo que no se conoce',
}

export const touchPolicies: Record<TouchPolicy, string> = {
  never: 'Nunca pide tocar la llave',
  always: 'Pide tocar la llave cada vez',
  cached: 'Pide tocar la llave; el toque cuenta 15 segundos',
  unknown: 'De un tipo que no se conoce',
}

const SLOTS: Record<string, string> = {
  '9a': 'Identificación (9a)',
  '9c': 'Firma (9c)',
  '9d': 'Cifrado (9d)',
  '9e': 'Identificación de la tarjeta (9e)',
}

export const slotName = (slot: string): string => SLOTS[slot] ?? `Ranura ${slot}`

/** The verdict about an attestation: a title, and what it means. */
export function wordsOfVerdict(verdict: AttestationVerdict): { title: string; text: string } {
  switch (verdict.kind) {
    case 'proven':
      return {
        title: 'La clave se creó en el dispositivo',
        text: 'La atestación lleva a una raíz del fabricante que la notaría agregó: la clave privada nació en esta llave y no puede salir de ella.',
      }
    case 'unchecked':
      return { title: 'No comprobada', text: UNCHECKED[verdict.reason] }
    case 'refuted':
      return { title: 'No es auténtica', text: REFUTED[verdict.reason] }
  }
}

type Reasons<Kind> = Extract<AttestationVerdict, { kind: Kind; reason: string }>['reason']

const UNCHECKED: Record<Reasons<'unchecked'>, string> = {
  'no-maker-root':
    'No se ha agregado la raíz del fabricante; la atestación no se puede comprobar. Lo que dice abajo solo lo afirma el archivo.',
  'no-issuer':
    'No lleva a ninguna raíz del fabricante que la notaría haya agregado. Puede faltar un certificado intermedio: agréguelo, o guarde la atestación junto con el certificado de la ranura f9.',
  'too-many-attempts':
    'El archivo trae demasiados certificados con el mismo nombre para probarlos todos.',
  'unsupported-algorithm': 'Está firmada con un algoritmo que este sistema no conoce.',
  'unsupported-key': 'La clave que la firmó es demasiado grande para comprobarla.',
}

const REFUTED: Record<Reasons<'refuted'>, string> = {
  'bad-signature':
    'La firma no corresponde: alguien alteró la atestación, o la firmó otro que no es el dispositivo.',
  'weak-algorithm': 'Está firmada con un algoritmo que ya no prueba nada.',
  'not-by-a-device': 'No la firmó la clave de un dispositivo (ranura f9).',
  expired: 'Un certificado de su cadena ya venció.',
  'not-yet-valid': 'Un certificado de su cadena todavía no empieza su vigencia.',
  'issuer-is-no-authority': 'La firmó un certificado que no puede emitir otros.',
  'issuer-may-not-sign-certificates':
    'La firmó un certificado cuya clave no puede firmar certificados.',
  'path-too-long': 'Su cadena tiene más certificados de los que el fabricante permite.',
  'unknown-critical-extension': 'Un certificado de su cadena exige una regla que no se conoce.',
  'name-not-allowed': 'Un certificado de su cadena tiene un nombre que su emisor no permite.',
  'no-valid-policy': 'Las políticas de su cadena no coinciden.',
  malformed: 'Un certificado de su cadena está mal formado.',
}

/** Why files are no attestation, and what to do. */
export const attestationFaults: Record<AttestationFault, string> = {
  unreadable:
    'En el archivo no hay ningún certificado que se pueda leer. Elija el archivo .pem, .crt o .der que guardó al pedir la atestación.',
  'too-large': 'Los archivos superan 64 KB: una atestación es mucho más pequeña.',
  'no-statement':
    'Es un certificado, pero no una atestación. Si la clave se importó a la llave, el dispositivo no puede atestarla: solo atesta las que él creó.',
  'only-intermediate':
    'Es el certificado de la ranura f9, con el que la llave firma sus atestaciones. Elija además la atestación de la ranura (9a, 9c, 9d o 9e).',
  'several-statements': 'El archivo trae varias atestaciones. Guarde una a la vez.',
  malformed: 'La atestación está dañada o alterada: sus datos no tienen la forma debida.',
}

const FIELDS: Record<Conflict['field'], string> = {
  serial: 'el número de serie',
  firmware: 'la versión de firmware',
  formFactor: 'la forma',
}

/** What was typed and what is attested. */
export function sentenceOfConflict({ field, typed, attested }: Conflict): string {
  const shown = (value: string) =>
    field === 'formFactor' ? formFactors[value as FormFactor] : value
  return `La atestación dice que ${FIELDS[field]} es “${shown(attested)}”, no “${shown(typed)}”. Compruebe que sea la misma llave.`
}

/** What follows for the account of a holder when the key is reported lost, said before. @param isOwn to the holder */
export function outlookOfLoss(end: EndOfCredentials, isOwn: boolean): string {
  const whose = isOwn ? 'su cuenta' : 'la cuenta de quien la tiene'
  switch (end) {
    case 'nothing':
      return 'No tiene llaves de seguridad ligadas: no abre ninguna cuenta, y nada más cambia.'
    case 'others-left':
      return `Sus llaves de seguridad dejan de abrir ${whose} de inmediato y se cierran las sesiones. Queda otra verificación en dos pasos.`
    case 'set-up-again':
      return 'Sus llaves de seguridad dejan de abrir su cuenta de inmediato. Es su única verificación en dos pasos: también dejan de servir los códigos de respaldo y tendrá que configurar otra.'
    case 'blocked':
      return 'Sus llaves de seguridad dejan de abrir la cuenta de inmediato y se cierran las sesiones. Es su única verificación en dos pasos: la persona entra con un código de respaldo, si tiene; si no, un administrador solicita el retiro en su página de Usuarios y otro lo aprueba. Después configura otra.'
  }
}

/** What is known of the private key of a certificate that a key keeps. */
export function sentenceOfOrigin(origin: KeyOrigin): string {
  switch (origin.kind) {
    case 'made-inside':
      return `Su clave privada se creó en esta llave y no puede salir de ella: ${slotName(origin.slot)}.`
    case 'unproven':
      return `Una atestación dice que su clave privada se creó en esta llave (${slotName(origin.slot)}), pero no está comprobada.`
    case 'not-attested':
      return 'Ninguna atestación guardada es de su clave privada: pudo importarse, y entonces puede haber copias.'
  }
}
