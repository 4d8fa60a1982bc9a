import type { Alert, AlertFacts, AlertSeverity } from '#server/domain/alerts/alert.ts'
import type { AlertMail } from '#server/domain/alerts/alert-mail.ts'
import type { DiskUse } from '#server/domain/installation/disk-floor.ts'
import { quoted } from '#server/words/quoted.ts'
import { changedFields } from './people.ts'

export const severityNames: Record<AlertSeverity, string> = {
  information: 'Aviso',
  warning: 'Atención',
  danger: 'Urgente',
}

/** How a user gets alerts by mail. */
export const alertMailChoices: Record<AlertMail, string> = {
  each: 'Un correo por cada alerta, en cuanto ocurre',
  daily: 'Un resumen al día',
  none: 'Ningún correo: las veo en Rúbrica',
}

/** What an alert says, es-MX: a title of a few words, and what happened and what to do. */
type AlertSentence = { title: string; text: string }

export function sentenceOfAlert(alert: AlertFacts): AlertSentence {
  const { title, text } = SENTENCES[alert.kind](alert)
  const care = CARE[alert.kind]
  if (!care) return { title, text }
  const isForOwner = care !== IF_UNEXPECTED
  return { title, text: `${text} ${isForOwner && alert.userId === null ? ASK_THEM : care}` }
}

/** The title of a kind of alert; undefined if there is no such kind. */
export function titleOfAlert(kind: string): string | undefined {
  if (!Object.hasOwn(SENTENCES, kind)) return undefined
  return SENTENCES[kind as Alert['kind']]({
    ...{ kind: kind as Alert['kind'], facts: {} },
    ...{ userId: null, about: null },
  }).title
}

const SENTENCES: Record<Alert['kind'], (alert: AlertFacts) => AlertSentence> = {
  'new-device': (alert) => ({
    title: 'Inicio de sesión en un equipo nuevo',
    text: `Alguien entró a ${account(alert)} desde un equipo que no se había usado${place(alert)}.`,
  }),
  'repeated-failures': (alert) => ({
    title: 'Muchos intentos de entrar',
    text: `Alguien intentó entrar a ${account(alert)} varias veces con una contraseña equivocada${place(alert)}. Los intentos se detuvieron.`,
  }),
  'second-factor-failures': (alert) => ({
    title: 'Segundo paso equivocado varias veces',
    text: `Alguien escribió la contraseña correcta de ${account(alert)} y falló varias veces el segundo paso${place(alert)}.`,
  }),
  'refresh-reuse': (alert) => ({
    title: 'Sesión copiada',
    text: `Una sesión de ${account(alert)} se usó desde una copia${place(alert)}. La sesión se cerró.`,
  }),
  'key-anomaly': (alert) => ({
    title: 'Comportamiento extraño de una llave de seguridad',
    text:
      alert.facts.anomaly === 'counter-rewound' || alert.facts.anomaly === 'device-type-changed'
        ? `La llave ${named(alert)} de ${account(alert)} se comporta como si hubiera una copia${place(alert)}. Ya no se acepta.`
        : `La llave ${named(alert)} de ${account(alert)} cambió su estado de copia de seguridad${place(alert)}. Se sigue aceptando.`,
  }),
  'factors-changed': (alert) => ({
    title: 'Cambio en la verificación en dos pasos',
    text: changeOfFactors(alert),
  }),
  'password-changed': (alert) => ({
    title: 'Contraseña cambiada',
    text: `La contraseña de ${account(alert)} se cambió${place(alert)}. Las demás sesiones se cerraron.`,
  }),
  'password-change-asked': (alert) => ({
    title: 'Cambio de contraseña solicitado',
    text: `${by(alert)} pidió que se cambie la contraseña de ${account(alert)}.`,
  }),
  'recovery-issued': (alert) => ({
    title: 'Enlace de recuperación creado',
    text: `${by(alert)} creó un enlace para elegir de nuevo la contraseña de ${account(alert)}. Vence en 24 horas.`,
  }),
  'account-changed': (alert) => ({
    title:
      alert.facts.changed === 'reactivated' ? 'Cuenta reactivada' : 'Datos de la cuenta cambiados',
    text:
      alert.facts.changed === 'reactivated'
        ? `${by(alert)} reactivó ${account(alert)}.`
        : `${by(alert)} cambió de ${account(alert)}: ${changedFields(alert.facts.changed) || 'datos'}.`,
  }),
  'administrator-added': (alert) => ({
    title: 'Administrador nuevo',
    text: `${by(alert)} dio el rol de administrador a ${alert.about ?? 'una persona'}.`,
  }),
  'administrator-recovered': (alert) => ({
    title: 'Acceso de un administrador recuperado desde el servidor',
    text: `En el equipo del servidor se creó un enlace para elegir de nuevo la contraseña de ${alert.about ?? 'un administrador'}. Vence en 24 horas.`,
  }),
  'sessions-ended': (alert) => ({
    title: 'Sesiones cerradas',
    text:
      alert.facts.sessions === 1
        ? `${by(alert)} cerró una sesión de ${account(alert)}${place(alert)}.`
        : `${by(alert)} cerró ${alert.facts.sessions ?? 'varias'} sesiones de ${account(alert)}.`,
  }),
  'backup-codes-low': (alert) => ({
    title: 'Pocos códigos de respaldo',
    text: `${codesLeft(alert)} de respaldo de ${account(alert)}.`,
  }),
  'removal-to-approve': (alert) => ({
    title: 'Retiro de la verificación en dos pasos por aprobar',
    text: `${by(alert)} pide retirar la verificación en dos pasos de ${alert.about ?? 'una persona'}. Motivo: ${alert.facts.reason ?? 'sin motivo'}. Debe decidirlo otro administrador.`,
  }),
  'provider-down': ({ facts }) => ({
    title: 'Un proveedor no responde',
    text: `${facts.provider ?? 'El proveedor'} no ha dado lo que se le pidió en ${facts.attempts ?? 'varios'} intentos seguidos. Lo pendiente se guarda y se intenta de nuevo por sí solo; si no vuelve, revise el proveedor en Configuración.`,
  }),
  'audit-check-failed': ({ facts }) => ({
    title: 'La bitácora no coincide con su punto de control',
    text: `${facts.fault ?? 'La bitácora cambió.'} ${facts.signing === 'stopped' ? 'Mientras no se aclare no se firman más puntos de control. ' : ''}Conserve una copia de la base de datos tal como está, avise a quien opera el servidor y compare con un respaldo.`,
  }),
  'file-damaged': ({ facts }) => ({
    title: 'Archivo dañado',
    text: `El archivo guardado${ofDocument(facts)} ya no es el que se registró, por lo que no se firma ni se archiva. Avise a quien opera el servidor: debe guardar una copia de lo que quedó y recuperar el archivo de un respaldo.`,
  }),
  'proofs-overdue': ({ facts }) => ({
    title: 'Pruebas de largo plazo sin renovar',
    text: `${endingProofs(facts)}. Se sigue intentando por sí solo. Revise las autoridades de sellos de tiempo en Configuración y avise a quien opera el servidor: una prueba que venció ya no se puede renovar.`,
  }),
  'secret-unreadable': (alert) => ({
    title: 'Secreto ilegible',
    text: `La aplicación de códigos de ${account(alert)} no se puede comprobar: falta la llave de cifrado${numbered(alert)} del servidor o el dato cambió. Revise el respaldo de las llaves o retire la verificación en dos pasos de esa persona.`,
  }),
  'access-token-created': (alert) => ({
    title: 'Token de acceso creado',
    text: `Se creó el token de acceso ${named(alert)} en ${account(alert)}${place(alert)}. El programa que lo tenga puede pedir firmas en su nombre con su clave.`,
  }),
  'server-slow': ({ facts }) => ({
    title: 'El servidor responde despacio',
    text: `En los últimos minutos, en el ${machineOf(facts)}, hubo páginas que esperaron ${facts.seconds === 1 ? 'un segundo' : `hasta ${facts.seconds ?? 'varios'} segundos`}. Si continúa, avise a quien opera el servidor: en su registro están las líneas “slow”.`,
  }),
  'disk-low': ({ facts }) => ({
    title: 'Queda poco espacio en el disco',
    text: `Quedan ${facts.megabytes ?? 'pocos'} MB (${facts.percent ?? 'menos de 10'} %) en el disco del ${machineOf(facts)}. ${REFUSED_FOR_ROOM[facts.refused as DiskUse] ?? ''}Se puede entrar y leer. Avise a quien opera el servidor: debe liberar espacio o ampliar el disco.`,
  }),
  'backup-overdue': ({ facts }) => ({
    title: 'Falta un respaldo',
    text: `${lastBackup(facts)} Avise a quien opera el servidor: si el equipo se dañara, se perdería lo que se hizo desde entonces.`,
  }),
  'mail-failed': ({ facts }) => ({
    title: 'Correo sin enviar',
    text: `No se pudo enviar ${quoted(String(facts.subject ?? 'un correo'))} a ${facts.name ?? 'una persona'}. Puede haber otros: revise los correos en Configuración, corrija la causa y envíelos de nuevo.`,
  }),
  'signing-rejected': ({ facts }) => ({
    title: 'Firma rechazada',
    text: `${facts.by ?? 'Un firmante'} rechazó firmar ${quoted(String(facts.session ?? 'la sesión'))}. La sesión terminó y nadie más puede firmar en ella; el motivo está en su página.`,
  }),
  'session-late': ({ facts }) => ({
    title: 'Sesión de firma vencida',
    text: `Pasó la fecha límite de ${quoted(String(facts.session ?? 'una sesión de firma'))} y ${missingSignatures(facts)}. Amplíe el plazo o cancele la sesión en su página.`,
  }),
  'arco-due': ({ facts }) => ({
    title: 'Plazo de una solicitud ARCO',
    text: `El plazo de ${facts.number ?? 'una solicitud ARCO'} ${termEnd(facts)}. Respóndala, hágala efectiva o amplíe el plazo en su página.`,
  }),
  'certificate-ending': (alert) => ({
    title: 'Certificado por vencer',
    text: `${certificateOf(alert)} vence ${endsOn(alert)}. Mientras está vigente, la e.firma se renueva en línea en el portal del SAT; después hay que ir con cita.`,
  }),
  'certificate-revoked': (alert) => ({
    title: 'Certificado revocado',
    text: `${certificateOf(alert)} fue revocado por su emisor: ya no se puede firmar con él. Lo firmado antes conserva su validez si su fecha está probada.`,
  }),
  'capacity-ending': (alert) => ({
    title: 'Calidad de notario por terminar',
    text: `${alert.userId === null ? `La calidad de ${alert.about ?? 'una persona de la notaría'}` : 'Su calidad'} termina ${endsOn(alert)}. Desde entonces no podrá firmar como notario: si continúa, un administrador anota la nueva fecha en Usuarios.`,
  }),
  'deadline-near': ({ facts }) => ({
    title: 'Obligación por vencer',
    text: `${obligationOf(facts)} vence ${endsOnDay(facts)}${ofWhat(facts)}. Si ya se hizo, anótelo en su página.`,
  }),
  'deadline-late': ({ facts }) => ({
    title: 'Obligación vencida',
    text: `${obligationOf(facts)} venció ${endsOnDay(facts)}${ofWhat(facts)}. Si ya se hizo, o no aplica, anótelo en su página.`,
  }),
  'yubikey-lost': (alert) => ({
    title: 'YubiKey perdida',
    text: `${by(alert)} reportó perdida la llave ${alert.facts.key ?? 'de la notaría'}${holderOfKey(alert)}. ${endOfKey(alert)}`,
  }),
  'clock-wrong': ({ facts }) => ({
    title: 'El reloj del servidor no está a la hora',
    text: `La hora del ${machineOf(facts)} ${facts.against === 'authority' ? 'difiere' : 'es anterior a la del último evento de la bitácora'}${facts.against === 'authority' ? ` ${secondsText(facts)} de la de la autoridad de sellos de tiempo` : `: ${secondsText(facts)}`}. Avise a quien opera el servidor: debe sincronizar el reloj (NTP), porque las firmas y la bitácora llevan esa hora.`,
  }),
}

/** Alerts of earlier releases do not name the machine. */
const machineOf = ({ machine }: AlertFacts['facts']) => (machine ? `equipo ${machine}` : 'servidor')

const REFUSED_FOR_ROOM: Record<DiskUse, string> = {
  verification: 'El público ya no puede verificar archivos. ',
  upload: 'Ya no se pueden subir documentos, y el público no puede verificar archivos. ',
  signature:
    'Ya no se pueden subir ni firmar documentos, y el público no puede verificar archivos. ',
}

const IF_NOT_YOU = 'Si no fue usted, cambie su contraseña y avise al administrador de su notaría.'
/** To an administrator, about another person. */
const ASK_THEM = 'Compruébelo con esa persona.'
const IF_UNEXPECTED = 'Si no lo esperaba, hable con esa persona o con otro administrador.'

/** What to do about it, where the sentence does not say so itself. */
const CARE: Partial<Record<Alert['kind'], string>> = {
  'new-device': IF_NOT_YOU,
  'second-factor-failures': IF_NOT_YOU,
  'refresh-reuse': 'Cambie la contraseña y revise los equipos en que se usa la cuenta.',
  'password-changed': IF_NOT_YOU,
  'password-change-asked': IF_UNEXPECTED,
  'recovery-issued': IF_UNEXPECTED,
  'access-token-created': IF_NOT_YOU,
  'account-changed': IF_UNEXPECTED,
  'administrator-added': IF_UNEXPECTED,
  'administrator-recovered':
    'Si no lo esperaba, hable con esa persona y con quien opera el servidor.',
  'backup-codes-low': 'Genere códigos nuevos en Mi Perfil.',
}

const account = ({ userId, about }: AlertFacts) =>
  userId === null ? `la cuenta de ${about ?? 'una persona de la notaría'}` : 'su cuenta'

const by = ({ facts }: AlertFacts) => String(facts.by ?? 'Un administrador')

const named = ({ facts }: AlertFacts) => (facts.name ? quoted(String(facts.name)) : 'de seguridad')

/** ` (Chrome en Windows, 203.0.113.7)`, as far as it is known. */
function place({ facts }: AlertFacts): string {
  const known = [facts.device, facts.ip].filter(Boolean)
  return known.length > 0 ? ` (${known.join(', ')})` : ''
}

function changeOfFactors(alert: AlertFacts): string {
  const whose = account(alert)
  switch (alert.facts.change) {
    case 'totp-enabled':
      return `Se activó una aplicación de autenticación en ${whose}${place(alert)}. ${IF_NOT_YOU}`
    case 'totp-disabled':
      return `Se quitó la aplicación de autenticación de ${whose}${place(alert)}. ${IF_NOT_YOU}`
    case 'backup-codes-created':
      return `Se crearon códigos de respaldo nuevos en ${whose}${place(alert)}. ${IF_NOT_YOU}`
    case 'key-registered':
      return `Se agregó la llave ${named(alert)} a ${whose}${place(alert)}. ${IF_NOT_YOU}`
    case 'key-removed':
      return `Se quitó la llave ${named(alert)} de ${whose}${place(alert)}. ${IF_NOT_YOU}`
    case 'removal-asked':
      return `${by(alert)} pidió retirar toda la verificación en dos pasos de ${whose}. ${IF_UNEXPECTED}`
    case 'all-removed':
      return `${by(alert)} retiró toda la verificación en dos pasos de ${whose} y cerró sus sesiones. Configúrela de nuevo en Mi Perfil.`
    default:
      return `Cambió la verificación en dos pasos de ${whose}${place(alert)}. ${IF_NOT_YOU}`
  }
}

const ofDocument = ({ folio, version }: AlertFacts['facts']) =>
  folio ? ` de la versión ${version ?? 'actual'} del documento ${folio}` : ' de un documento'

function codesLeft({ facts: { left } }: AlertFacts): string {
  if (left === 0) return 'Ya no quedan códigos'
  return left === 1 ? 'Queda un código' : `Quedan ${left ?? 'pocos'} códigos`
}

function endingProofs({ count, on }: AlertFacts['facts']): string {
  const day = on ? `el ${on}` : 'pronto'
  if (count === 1)
    return `La prueba de largo plazo de un documento no se ha podido renovar y se pierde ${day}`
  const documents = count === undefined ? 'varios' : count.toLocaleString('es-MX')
  return `La prueba de largo plazo de ${documents} documentos no se ha podido renovar; la primera se pierde ${day}`
}

function lastBackup({ days }: AlertFacts['facts']): string {
  if (days === undefined) return 'Todavía no se ha hecho ningún respaldo de la notaría.'
  return `El último respaldo de la notaría es de hace ${days === 1 ? 'un día' : `${days} días`}.`
}

function termEnd({ left, on }: AlertFacts['facts']): string {
  if (typeof left === 'number' && left < 0) return `venció el ${on}`
  if (left === 0) return 'vence hoy'
  return left === 1 ? 'vence mañana' : `vence el ${on ?? 'día señalado'}`
}

const endsOn = ({ facts }: AlertFacts) => (facts.on ? `el ${facts.on}` : 'pronto')

const obligationOf = ({ obligation }: AlertFacts['facts']) =>
  obligation ? quoted(String(obligation)) : 'Una obligación de la notaría'

const endsOnDay = ({ on }: AlertFacts['facts']) => (on ? `el ${on}` : 'en estos días')

/** `: 2026-000012 (Escritura) y 3 más` */
function ofWhat({ listed, count }: AlertFacts['facts']): string {
  if (!listed) return ''
  const more = Number(count) - String(listed).split(', ').length
  return more > 0 ? `: ${listed} y ${more} más` : `: ${listed}`
}

/** `El certificado 30001000000700000111 de Ximena Córdova`. */
function certificateOf({ userId, about, facts }: AlertFacts): string {
  const number = facts.number ? ` ${facts.number}` : ''
  return userId === null
    ? `El certificado${number} de ${about ?? 'una persona de la notaría'}`
    : `Su certificado${number}`
}

function missingSignatures({ missing }: AlertFacts['facts']): string {
  if (missing === 1) return 'falta una firma'
  return missing === undefined ? 'faltan firmas' : `faltan ${missing} firmas`
}

function holderOfKey({ userId, about }: AlertFacts): string {
  if (userId !== null) return ', que tenía usted'
  return about ? `, que tenía ${about}` : ''
}

/** What followed for the account of the holder. */
function endOfKey(alert: AlertFacts): string {
  const whose = account(alert)
  switch (alert.facts.end) {
    case 'others-left':
      return `Dejó de abrir ${whose} y se cerraron las sesiones; queda otra verificación en dos pasos.`
    case 'set-up-again':
      return `Dejó de abrir ${whose} y se cerraron las sesiones. Era su única verificación en dos pasos: hay que configurar otra.`
    case 'blocked':
      return `Dejó de abrir ${whose} y se cerraron las sesiones. Era su única verificación en dos pasos: para configurar otra, un administrador solicita el retiro en Usuarios y otro lo aprueba.`
    default:
      return 'No abría ninguna cuenta. Si guarda la clave de un certificado, decida si hay que revocarlo.'
  }
}

const secondsText = ({ seconds }: AlertFacts['facts']) =>
  seconds === undefined ? 'algunos segundos' : `${seconds} segundos`

const numbered = ({ facts }: AlertFacts) => (facts.keyVersion ? ` ${facts.keyVersion}` : '')
