import type { CutList, NamedDocument, PersonalData } from '#server/domain/care/personal-data.ts'
import type { MailKind, MailState } from '#server/domain/mail/mail.ts'
import type { SignerState } from '#server/domain/signing/session/signer.ts'
import { formatDay, formatInstant } from '#server/domain/time.ts'
import { auditActions } from '#server/words/audit/audit-actions.ts'
import { copyName } from '#server/words/copies.ts'
import { documentKinds } from '#server/words/documents.ts'
import { arcoKinds, arcoStates } from './arco.ts'
import { consentKinds } from './consents.ts'

/* What an office holds about a person, in words that the person reads, es-MX. */

/** A table of the archive; all cells are texts. */
export type DataSection = { title: string; rows: readonly Readonly<Record<string, string>>[] }

const signerStates: Record<SignerState, string> = {
  pending: 'Pendiente',
  signed: 'Firmó',
  rejected: 'Rechazó',
  replaced: 'Se le sustituyó',
}

const mailKinds: Record<MailKind, string> = {
  'signing-invitation': 'Invitación a firmar',
  'signing-turn': 'Aviso de turno para firmar',
  'signing-reminder': 'Recordatorio para firmar',
  'signing-completed': 'Copia de lo firmado',
  'signing-rejected': 'Aviso de rechazo',
  'signing-cancelled': 'Aviso de cancelación',
  'signing-expired': 'Aviso de vencimiento',
  'rejection-code': 'Código para rechazar',
  'signer-replaced': 'Aviso de sustitución',
  'account-invitation': 'Invitación a la cuenta',
  'account-recovery': 'Recuperación de la cuenta',
  alert: 'Alerta',
  'alert-digest': 'Resumen de alertas',
  'reports-ready': 'Aviso de reportes',
}

const mailStates: Record<MailState, string> = {
  waiting: 'Por enviar',
  sent: 'Enviado',
  failed: 'No se pudo enviar',
  discarded: 'Descartado',
}

/** What is said of a list of which the office holds more. */
const cutLists: Record<CutList, string> = {
  certificates: 'De los certificados se incluye solo una parte: la notaría tiene más.',
  consents: 'De los consentimientos se incluyen los más recientes: hay otros anteriores.',
  copies: 'De las copias expedidas a su nombre se incluye solo una parte: la notaría tiene más.',
  mails: 'De los correos se incluye solo una parte: la notaría tiene más.',
  requests: 'De las solicitudes sobre sus datos se incluye solo una parte: la notaría tiene más.',
  events:
    'De la bitácora se incluyen los eventos más recientes de su cuenta, de su registro en el catálogo de partes y de cada vez que se le pidió firmar: hay otros anteriores.',
}

/** The data as tables; those without rows are left out. @param zone of the office */
export function sectionsOf(data: PersonalData, zone: string): DataSection[] {
  const when = (at: NamedDocument['at']) => formatInstant(at, zone)
  const day = (at: NamedDocument['at']) => formatDay(at, zone)
  const sections: DataSection[] = [
    {
      title: 'Quién pidió sus datos',
      rows: [texts({ Nombre: data.person.name, RFC: data.person.rfc, Correo: data.person.email })],
    },
    {
      title: 'Catálogo de partes',
      rows: data.party
        ? [
            texts({
              ...{ Nombre: data.party.name, RFC: data.party.rfc, Correo: data.party.email },
              Carácter: data.party.character,
            }),
          ]
        : [],
    },
    {
      title: 'Cuenta en el sistema de la notaría',
      rows: data.account
        ? [
            texts({
              ...{ Nombre: data.account.name, RFC: data.account.rfc, CURP: data.account.curp },
              ...{ Correo: data.account.email, Desde: day(data.account.since) },
            }),
          ]
        : [],
    },
    {
      title: 'Documentos que se le pidió firmar',
      rows: data.asked.map((one) =>
        texts({
          ...{ Folio: one.folio, Tipo: documentKinds[one.kind], Fecha: day(one.at) },
          ...{ Nombre: one.name, Correo: one.email, Carácter: one.character },
          ...{ Estado: signerStates[one.state], Desde: when(one.stateSince) },
        }),
      ),
    },
    {
      title: 'Firmas',
      rows: data.signatures.map((one) =>
        texts({ Folio: one.folio, Cuándo: when(one.at), Certificado: one.certificate }),
      ),
    },
    {
      title: 'Certificados',
      rows: data.certificates.map((one) =>
        texts({
          ...{ Número: one.number, Emisor: one.issuer, CURP: one.curp },
          ...{ Desde: day(one.from), Hasta: day(one.to) },
        }),
      ),
    },
    {
      title: 'Consentimientos',
      rows: data.consents.map((one) =>
        texts({
          ...{ Consentimiento: consentKinds[one.kind], Cuándo: when(one.at) },
          ...{ Folio: one.folio, 'SHA-256 del aviso': one.notice },
        }),
      ),
    },
    {
      title: 'Copias expedidas a su nombre',
      rows: data.copies.map((one) =>
        texts({ Folio: one.folio, Copia: copyName(one.kind, one.ordinal), Fecha: one.on }),
      ),
    },
    {
      title: 'Correos',
      rows: data.mails.map((one) =>
        texts({
          ...{ Correo: mailKinds[one.kind], Dirección: one.address },
          ...{ Cuándo: when(one.at), Estado: mailStates[one.state] },
        }),
      ),
    },
    {
      title: 'Solicitudes sobre sus datos',
      rows: data.requests.map((one) =>
        texts({
          ...{ Solicitud: one.number, Derecho: arcoKinds[one.kind] },
          ...{ Fecha: one.on, Estado: arcoStates[one.state] },
        }),
      ),
    },
    {
      title: 'Bitácora',
      rows: data.events.map((one) =>
        texts({
          ...{ Cuándo: when(one.at), Qué: auditActions[one.action] },
          ...{ 'Dirección IP': one.own?.ip ?? null, Equipo: one.own?.device ?? null },
        }),
      ),
    },
  ]
  return sections.filter(({ rows }) => rows.length > 0)
}

/** Without what is not known. */
const texts = (row: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(row).filter((entry): entry is [string, string] => !!entry[1]))

/** The archive as one text, for a reader without a program for JSON. */
export function personalDataText(data: PersonalData, madeAt: NamedDocument['at'], zone: string) {
  const parts = sectionsOf(data, zone).map(({ title, rows }) =>
    [title.toUpperCase(), '', ...rows.map(rowText)].join('\n'),
  )
  return [introduction(data, madeAt, zone), ...parts].join('\n\n').replaceAll('\n', '\r\n')
}

const rowText = (row: Readonly<Record<string, string>>) =>
  `- ${Object.entries(row)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ')}`

function introduction(data: PersonalData, madeAt: NamedDocument['at'], zone: string): string {
  const lines = [
    `Datos personales que ${data.office} tiene de ${data.person.name}`,
    `Reunidos el ${formatInstant(madeAt, zone)}. Los mismos datos están en datos.json.`,
    'Se buscaron por su RFC y, en los correos, por su dirección y su nombre. No se incluyen los documentos, los testamentos, los textos que escribió la notaría ni datos de otras personas.',
  ]
  if (data.withOtherName > 0)
    lines.push(
      `Hay ${data.withOtherName} registros con su RFC y con otro nombre. No se incluyen: la notaría debe revisarlos con usted.`,
    )
  lines.push(...data.cut.map((list) => cutLists[list]))
  return lines.join('\n')
}
