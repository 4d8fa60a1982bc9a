import type { AuditActor, AuditEvent } from '#server/domain/audit/event.ts'
import type { NamedSubject } from '#server/domain/audit/named-subject.ts'
import type { CopyKind } from '#server/domain/documents/copies/issued-copy.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { titleOfAlert } from '#server/words/alerts.ts'
import { copyKinds, ofTheCopy } from '#server/words/copies.ts'
import { actions, changedFields } from '#server/words/people.ts'
import { policyChangesText } from '#server/words/policies.ts'
import { quoted } from '#server/words/quoted.ts'
import { reportText } from '#server/words/reports.ts'
import { SENTENCES, type Template } from './audit-templates.ts'

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
    case '{cambios}':
      return [changedFields(details.changed)].filter(Boolean).map((text) => ({ text: `: ${text}` }))
    case '{politicas}':
      return [policyChangesText(details)].filter(Boolean).map((text) => ({ text: `: ${text}` }))
    case '{servidor}':
      return [{ text: serverText(details) }]
    case '{respuesta}':
      return details.answer ? [{ text: `: ${quoted(String(details.answer))}` }] : []
    case '{copia}':
      return [{ text: copyIn(details) }]
    case '{acto}':
      return [{ text: quoted(String(details.act ?? '')) }]
    case '{punto}':
      return [{ text: quoted(String(details.item ?? '')) }]
    case '{numero}':
      return [{ text: numberIn(details) }]
    case '{obligacion}':
      return [{ text: obligationIn(details.name) }]
    case '{reporte}':
      return [{ text: reportText(details.report) }]
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
  'obligation',
  'provider',
  'second-factor',
])

/** Before a name, and instead of one. */
const NOUNS: Record<NamedSubject['kind'], readonly [known: string, unknown: string]> = {
  'access-token': ['el token de acceso ', 'un token de acceso'],
  act: ['el acto ', 'un acto'],
  activation: ['el enlace de activación ', 'un enlace de activación'],
  alert: ['la alerta ', 'una alerta'],
  'arco-request': ['la solicitud ARCO ', 'una solicitud ARCO'],
  certificate: ['la autoridad ', 'un certificado'],
  document: ['el documento ', 'un documento'],
  mail: ['el correo para ', 'un correo'],
  office: ['la notaría ', 'la notaría'],
  party: ['la parte ', 'una parte'],
  number: ['el número ', 'un número'],
  'number-series': ['la serie ', 'una serie de números'],
  obligation: ['la obligación ', 'una obligación'],
  presence: ['la presencia ', 'la presencia'],
  provider: ['el proveedor ', 'un proveedor'],
  'second-factor': ['la llave de seguridad ', 'un segundo factor'],
  session: ['la sesión ', 'una sesión'],
  signature: ['la firma ', 'una firma'],
  'signing-session': ['la sesión de firma ', 'una sesión de firma'],
  user: ['', 'una persona'],
  yubikey: ['la llave ', 'una YubiKey'],
}

/** `: correo.notaria.mx:587, antes mail.notaria.mx:25` */
function serverText({ host, port, hostBefore, portBefore }: ToldEvent['details']): string {
  if (typeof host !== 'string') return ''
  const before =
    typeof hostBefore === 'string' && (hostBefore !== host || portBefore !== port)
      ? `, antes ${shownText(hostBefore)}:${portBefore}`
      : ''
  return `: ${shownText(host)}:${port}${before}`
}

const askedFor = (asked: unknown) =>
  typeof asked === 'string' && asked in actions
    ? quoted(actions[asked as keyof typeof actions])
    : 'algo'

const obligationIn = (name: unknown) =>
  typeof name === 'string' && name ? `la obligación ${quoted(name)}` : 'una obligación'

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
