import type { AuditActor, AuditEvent } from '#server/domain/audit/event.ts'
import type { NamedSubject } from '#server/domain/audit/named-subject.ts'
import type { CopyKind } from '#server/domain/documents/copies/issued-copy.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { titleOfAlert } from './alerts.ts'
import { copyKinds, ofTheCopy } from './copies.ts'
import { actions } from './people.ts'
import { quoted } from './quoted.ts'

/* What an event of the log says, es-MX. */

/** A part of a sentence; the name of who acted and of what it is about may be links. */
export type SentencePart = { text: string; names?: 'who' | 'about' }

export type ToldEvent = Pick<AuditEvent, 'actor' | 'action' | 'details'> & {
  about: NamedSubject | undefined
}

/**
 * The sentence of an event. Names are shown as text that others wrote: nothing in them is hidden or turns the direction of the
 * line.
 */
export function auditSentence(event: ToldEvent): SentencePart[] {
  const { own, other } = bothOf(SENTENCES[event.action])
  const template = isOwn(event) ? own : other
  return template.split(/(\{[a-z]+\})/).flatMap((piece) => partsOf(piece, event))
}

/** The same as one text. */
export const plainSentence = (event: ToldEvent): string =>
  auditSentence(event)
    .map(({ text }) => text)
    .join('')

/** `2026-000123 “Compraventa”`, `Ana Lucía Prado`; undefined if the event is about nothing that has a name. */
export const nameOfSubject = (about: NamedSubject | undefined): string | undefined =>
  about && nounAndName(about).name

/**
 * `{who}` acted on `{about}`; `{del}` and `{al}` are it with “de” and “a”, `{sobre}` is empty without it. `{motivo}`: the reason that
 * a person wrote. `{copia}`: the copy that the event names, with “de”. `{numero}`: the number that was taken. `{acto}` and `{punto}`: the
 * act of a list, and its item. `{pedido}`: what was asked for. `{firmante}` and `{sustituto}`: signers that the event names.
 * `{poseedor}`: the holder of a key.
 */
type Template = string | { own: string; other: string }

const bothOf = (template: Template) =>
  typeof template === 'string' ? { own: template, other: template } : template

/** A person who acts on the own account; also if the event does not say on which. */
const isOwn = ({ actor, about }: ToldEvent) =>
  !about || (actor.kind === 'person' && actor.userId === about.id)

function partsOf(piece: string, { actor, about, details }: ToldEvent): SentencePart[] {
  switch (piece) {
    case '':
      return []
    case '{who}':
      return [{ text: actorText(actor), ...(actor.kind === 'person' && { names: 'who' as const }) }]
    case '{about}':
      return named('', about)
    case '{del}':
      return named('de ', about)
    case '{al}':
      return named('a ', about)
    case '{sobre}':
      return about ? named(', sobre ', about) : []
    case '{firmante}':
      return [{ text: personIn(details.name, 'un firmante') }]
    case '{poseedor}':
      return [{ text: personIn(details.holderName, 'una persona') }]
    case '{sustituto}':
      return [{ text: personIn(details.byName, 'otra persona') }]
    case '{alerta}':
      return [{ text: alertText(details.kind) }]
    case '{motivo}':
      return details.reason ? [{ text: `: ${quoted(String(details.reason))}` }] : []
    case '{copia}':
      return [{ text: copyIn(details) }]
    case '{acto}':
      return [{ text: quoted(String(details.act ?? '')) }]
    case '{punto}':
      return [{ text: quoted(String(details.item ?? '')) }]
    case '{numero}':
      return [{ text: numberIn(details) }]
    case '{pedido}':
      return [{ text: askedFor(details.asked) }]
    default:
      return [{ text: piece }]
  }
}

/** `4,530 de Escrituras y actas` */
function numberIn({ number, series }: ToldEvent['details']): string {
  const name = typeof number === 'number' ? number.toLocaleString('es-MX') : 'un número'
  return typeof series === 'string' ? `${name} de ${quoted(series)}` : name
}

function actorText(actor: AuditActor): string {
  switch (actor.kind) {
    case 'anonymous':
      return 'Alguien sin sesión'
    case 'system':
      return actor.name.startsWith('rubrica ') ? `El comando ${quoted(actor.name)}` : 'El sistema'
    case 'guest':
      return `${shownText(actor.name)} (firmante externo)`
    case 'person':
      return shownText(actor.name)
  }
}

function named(before: string, about: NamedSubject | undefined): SentencePart[] {
  if (!about) return [{ text: `${before}algo` }]
  const { noun, name } = nounAndName(about)
  const text = `${before}${noun}`.replace(/^(de|a) el /, (_, word) =>
    word === 'a' ? 'al ' : 'del ',
  )
  if (name === undefined) return [{ text: text.trimEnd() }]
  return [...(text ? [{ text }] : []), { text: name, names: 'about' }]
}

/** `el documento ` and its name, or `un documento` alone. */
function nounAndName({ kind, name, id }: NamedSubject): { noun: string; name: string | undefined } {
  const [known, unknown] = NOUNS[kind]
  if (name === null) return { noun: unknown, name: undefined }
  const shown = shownText(name) || id
  return { noun: known, name: QUOTED.has(kind) ? quoted(name) : shown }
}

/** Documents and signing sessions come with the quotation marks of their titles. */
const QUOTED: ReadonlySet<NamedSubject['kind']> = new Set([
  'act',
  'access-token',
  'number-series',
  'provider',
  'second-factor',
])

/** Before a name, and instead of one. */
const NOUNS: Record<NamedSubject['kind'], readonly [known: string, unknown: string]> = {
  'access-token': ['el token de acceso ', 'un token de acceso'],
  act: ['el acto ', 'un acto'],
  activation: ['el enlace de activación ', 'un enlace de activación'],
  alert: ['la alerta ', 'una alerta'],
  certificate: ['la autoridad ', 'un certificado'],
  document: ['el documento ', 'un documento'],
  mail: ['el correo para ', 'un correo'],
  office: ['la notaría ', 'la notaría'],
  party: ['la parte ', 'una parte'],
  number: ['el número ', 'un número'],
  'number-series': ['la serie ', 'una serie de números'],
  presence: ['la presencia ', 'la presencia'],
  provider: ['el proveedor ', 'un proveedor'],
  'second-factor': ['la llave de seguridad ', 'un segundo factor'],
  session: ['la sesión ', 'una sesión'],
  signature: ['la firma ', 'una firma'],
  'signing-session': ['la sesión de firma ', 'una sesión de firma'],
  user: ['', 'una persona'],
  yubikey: ['la llave ', 'una YubiKey'],
}

const askedFor = (asked: unknown) =>
  typeof asked === 'string' && asked in actions
    ? quoted(actions[asked as keyof typeof actions])
    : 'algo'

const personIn = (name: unknown, otherwise: string) =>
  (typeof name === 'string' && shownText(name)) || otherwise

function copyIn({ kind, ordinal }: AuditEvent['details']): string {
  const isKnown = typeof kind === 'string' && kind in copyKinds && typeof ordinal === 'number'
  return isKnown ? ofTheCopy(kind as CopyKind, ordinal) : 'de una copia'
}

function alertText(kind: unknown): string {
  const title = titleOfAlert(String(kind))
  return title === undefined ? 'una alerta' : `la alerta ${quoted(title)}`
}

const SENTENCES: Record<AuditEvent['action'], Template> = {
  'access.refused': '{who} no tiene permiso para {pedido}{sobre}',
  'access-token.created': '{who} creó {about}',
  'access-token.revoked': '{who} revocó {about}',
  'access-token.used': '{who} usó {about}',
  'act.added': '{who} agregó {about}',
  'act.changed': '{who} modificó {about}',
  'act.checklist-changed': '{who} modificó la lista de revisión {del}',
  'act.restored': '{who} volvió a poner en uso {about}',
  'act.retired': '{who} retiró {about}',
  'activation.created': {
    own: '{who} creó un enlace de activación',
    other: '{who} creó un enlace de activación para {about}',
  },
  'activation.refused': '{who} abrió un enlace de activación que ya no vale',
  'activation.used': {
    own: '{who} activó su cuenta',
    other: '{who} activó la cuenta {del}',
  },
  'alert.all-read': '{who} marcó sus alertas como leídas',
  'alert.raised': '{who} emitió {alerta}',
  'alert.read': '{who} leyó {alerta}',
  'alert.resolved': '{who} atendió {alerta}',
  'audit.check-failed': '{who} comprobó la bitácora y no coincide con lo que se firmó',
  'audit.exported': '{who} exportó la bitácora',
  'audit.viewed': '{who} consultó la bitácora',
  'authority.accepted': '{who} aceptó {about}',
  'authority.offered': '{who} registró {about}, sin aceptar todavía',
  'authority.pinned': '{who} reconoció {about}',
  'authority.refused': '{who} ofreció {about}, que no se aceptó',
  'authority.removed': '{who} retiró {about}',
  'backup.made': '{who} hizo un respaldo',
  'backup.restored': '{who} restauró un respaldo',
  'backup-codes.created': '{who} creó códigos de respaldo nuevos',
  'certificate.added': '{who} registró el certificado de su e.firma',
  'constancia.failed': '{who} no obtuvo la constancia NOM-151 {del}',
  'constancia.issued': '{who} obtuvo la constancia NOM-151 {del}',
  'constancia.requested': '{who} solicitó la constancia NOM-151 {del}',
  'document.acknowledged': '{who} confirmó el aviso sobre el archivo {del} antes de firmar',
  'document.archived': '{who} agregó la prueba de largo plazo {al}',
  'document.cancelled': '{who} canceló {about}{motivo}',
  'document.compared': '{who} comparó versiones {del}',
  'document.copy-cancelled': '{who} canceló el registro {copia} {del}{motivo}',
  'document.copy-recorded': '{who} registró la expedición {copia} {del}',
  'document.damaged': '{who} encontró dañado el archivo {del}',
  'document.checklist-added': '{who} agregó la lista de {acto} {al}',
  'document.checklist-removed': '{who} quitó la lista de {acto} {del}',
  'document.item-checked': '{who} marcó {punto} en la lista {del}',
  'document.item-unchecked': '{who} desmarcó {punto} en la lista {del}',
  'document.described': '{who} anotó los datos del instrumento {del}',
  'document.downloaded': '{who} descargó {about}',
  'document.file-replaced': '{who} reemplazó el archivo {del}{motivo}',
  'document.stamp-placed': '{who} eligió dónde se ven las firmas {del}',
  'document.edited': '{who} editó los datos {del}',
  'document.purged': '{who} eliminó el archivo {del}{motivo}',
  'document.lookup-changed': '{who} cambió la consulta pública {del}',
  'document.pictures-changed': '{who} cambió si la consulta pública muestra las páginas {del}',
  'document.pictures-consented': '{who} consintió en que se muestren las páginas {del}',
  'document.pictures-consent-withdrawn':
    '{who} retiró su consentimiento para mostrar las páginas {del}',
  'document.previewed': '{who} vio páginas {del}',
  'document.rejected': '{who} rechazó {about}{motivo}',
  'document.signed': '{who} firmó {about}',
  'document.uploaded': '{who} subió {about}',
  'document.verified': '{who} verificó {about}',
  'document.viewed': '{who} consultó {about}',
  'factors.removal-asked': '{who} pidió retirar la verificación en dos pasos {del}{motivo}',
  'factors.removal-refused': '{who} se opuso a retirar la verificación en dos pasos {del}',
  'factors.removed': '{who} retiró la verificación en dos pasos {del}',
  'keys.dropped': '{who} borró las llaves de cifrado anteriores',
  'keys.rotated': '{who} renovó la llave de cifrado',
  'mail.discarded': '{who} descartó {about}',
  'mail.failed': '{who} no pudo enviar {about}',
  'mail.retried': '{who} puso a enviar de nuevo {about}',
  'mail.secret-read': '{who} vio el enlace secreto {del}',
  'mail.sent': '{who} envió {about}',
  'maker-certificate.added': '{who} agregó {about} para comprobar YubiKeys{motivo}',
  'maker-certificate.removed': '{who} retiró {about}, que comprobaba YubiKeys{motivo}',
  'office.created': '{who} creó la notaría',
  'number.explained': '{who} anotó por qué quedó sin usar {about}{motivo}',
  'number.exported': '{who} exportó los números {del}',
  'number.reopened': '{who} quitó el motivo {del}, que puede usarse de nuevo',
  'number.reserved': '{who} apartó {about}{motivo}',
  'number.taken': '{who} tomó el número {numero} para {about}',
  'number-series.added': '{who} agregó {about}',
  'number-series.changed': '{who} modificó {about}',
  'office.changed': '{who} modificó los datos de la notaría',
  'office-keys.dropped': '{who} borró las llaves anteriores de los archivos',
  'office-keys.rotated': '{who} renovó la llave de los archivos',
  'party.added': '{who} agregó al catálogo {about}',
  'party.changed': '{who} modificó en el catálogo {about}',
  'party.removed': '{who} eliminó del catálogo {about}',
  'password.change-asked': {
    own: '{who} pidió cambiar su contraseña',
    other: '{who} pidió que se cambie la contraseña {del}',
  },
  'password.changed': {
    own: '{who} cambió su contraseña',
    other: '{who} cambió la contraseña {del}',
  },
  'password.refused': {
    own: '{who} quiso cambiar su contraseña y no se aceptó',
    other: '{who} quiso cambiar la contraseña {del} y no se aceptó',
  },
  'provider.added': '{who} agregó {about}',
  'provider.moved': '{who} cambió el orden {del}',
  'provider.removed': '{who} retiró {about}',
  'presence.proven': '{who} comprobó su presencia antes de firmar',
  'presence.refused': '{who} no pudo comprobar su presencia antes de firmar',
  'secret.unreadable': '{who} encontró un secreto que no se puede leer{sobre}',
  'session.ended': {
    own: '{who} cerró una sesión',
    other: '{who} cerró sesiones {del}',
  },
  'session.lock-lifted': '{who} quitó el bloqueo temporal {del}',
  'session.password-accepted': {
    own: '{who} escribió bien su contraseña; falta el segundo paso',
    other: '{who} escribió bien la contraseña {del}; falta el segundo paso',
  },
  'session.refreshed': '{who} siguió con su sesión',
  'session.refused': {
    own: '{who} quiso iniciar sesión en una cuenta que no existe',
    other: '{who} no pudo iniciar sesión en la cuenta {del}',
  },
  'session.reuse-detected': {
    own: '{who} usó una sesión copiada, que se cerró',
    other: '{who} usó una copia de la sesión {del}, que se cerró',
  },
  'session.second-factor-refused': {
    own: '{who} no pasó el segundo paso',
    other: '{who} no pasó el segundo paso de la cuenta {del}',
  },
  'session.started': '{who} inició sesión',
  'session.step-up-refused': '{who} no pudo confirmar su identidad',
  'session.stepped-up': '{who} confirmó su identidad',
  'session.throttled': {
    own: '{who} hizo demasiados intentos de iniciar sesión',
    other: '{who} hizo demasiados intentos de iniciar sesión en la cuenta {del}',
  },
  'signature.prepared': '{who} preparó su firma {del}',
  'signature.refused': '{who} quiso firmar {about} y la firma no se aceptó',
  'signer.consented': '{who} aceptó el aviso de privacidad para firmar en {about}',
  'signer.link-created': '{who} creó un enlace para firmar en {about}',
  'signer.link-opened': '{who} abrió su enlace para firmar en {about}',
  'signer.link-refused': {
    own: '{who} abrió un enlace para firmar que no vale',
    other: '{who} abrió un enlace que no vale para firmar en {about}',
  },
  'signer.link-revoked': '{who} revocó un enlace para firmar en {about}',
  'signer.rejection-code-sent': '{who} pidió el código para rechazar la firma en {about}',
  'signer.rejection-refused': '{who} quiso rechazar la firma en {about} sin una prueba válida',
  'signer.reminded': '{who} envió un recordatorio a {firmante} para firmar en {about}',
  'signer.replaced': '{who} sustituyó a {firmante} por {sustituto} en {about}{motivo}',
  'signing-session.cancelled': '{who} canceló {about}{motivo}',
  'signing-session.changed': '{who} modificó {about}',
  'signing-session.completed': '{who} dio la última firma {del}',
  'signing-session.created': '{who} creó {about}',
  'signing-session.expired': '{who} cerró {about}: venció su plazo',
  'signing-session.extended': '{who} amplió el plazo {del}',
  'signing-session.opened': '{who} abrió {about}',
  'signing-session.rejected': '{who} rechazó la firma en {about}{motivo}',
  'signing-session.viewed': '{who} consultó {about}',
  'totp.begun': '{who} empezó a activar una aplicación de códigos',
  'totp.disabled': '{who} retiró su aplicación de códigos',
  'totp.enabled': '{who} activó una aplicación de códigos',
  'totp.refused': '{who} escribió un código que no activó la aplicación',
  'user.changed': {
    own: '{who} modificó sus propios datos',
    other: '{who} modificó los datos {del}',
  },
  'user.created': {
    own: '{who} creó su cuenta',
    other: '{who} creó la cuenta {del}',
  },
  'user.reactivated': '{who} reactivó la cuenta {del}',
  'user.suspended': '{who} suspendió la cuenta {del}{motivo}',
  'webauthn.anomaly': '{who} usó {about}, que se comporta como una copia',
  'webauthn.refused': '{who} presentó una llave de seguridad que no se aceptó',
  'webauthn.registered': '{who} registró {about}',
  'webauthn.removed': '{who} retiró {about}',
  'webauthn.renamed': '{who} cambió el nombre {del}',
  'yubikey.attested': '{who} guardó una atestación {del}',
  'yubikey.certificate-linked': '{who} ligó un certificado con {about}',
  'yubikey.certificate-unlinked': '{who} desligó el certificado {del}',
  'yubikey.credential-linked': '{who} ligó una llave de seguridad con {about}',
  'yubikey.credential-unlinked': '{who} desligó una llave de seguridad {del}',
  'yubikey.found': '{who} recuperó {about}, que se había reportado perdida',
  'yubikey.handed-over': '{who} entregó {about} a {poseedor}',
  'yubikey.lost': '{who} reportó perdida {about}',
  'yubikey.registered': '{who} registró {about}',
  'yubikey.retired': '{who} dio de baja {about}{motivo}',
  'yubikey.taken-back': '{who} recibió de vuelta {about}',
}
