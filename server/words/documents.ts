import type { DocumentKind, DocumentState } from '#server/domain/documents/document.ts'
import type { VersionCause } from '#server/domain/documents/document-version.ts'

/* Words for the domain's values about documents, es-MX. */

export const documentStates: Record<DocumentState, string> = {
  draft: 'Borrador',
  signing: 'En firma',
  signed: 'Firmado',
  rejected: 'Rechazado',
  cancelled: 'Cancelado',
}

/** Plural, for headings and filters. */
export const documentStatesOfMany: Record<DocumentState, string> = {
  draft: 'Borradores',
  signing: 'En firma',
  signed: 'Firmados',
  rejected: 'Rechazados',
  cancelled: 'Cancelados',
}

export const documentKinds: Record<DocumentKind, string> = {
  deed: 'Escritura',
  act: 'Acta',
  testimony: 'Testimonio',
  'certified-copy': 'Copia certificada',
  'simple-copy': 'Copia simple',
  collation: 'Cotejo',
  certification: 'Certificación',
  ratification: 'Ratificación',
  annotation: 'Nota complementaria',
  appendix: 'Apéndice',
  letter: 'Carta',
  'power-of-attorney': 'Poder',
  contract: 'Contrato',
  notice: 'Aviso',
  will: 'Testamento',
  draft: 'Proyecto',
  other: 'Otro',
}

const versionCauses: Record<VersionCause, string> = {
  uploaded: 'original',
  prepared: 'preparada para firma',
  restored: 'original, de nuevo',
  signed: 'firmada',
  archived: 'con prueba de largo plazo',
}

/** @param isReplaced whether the file of the draft was replaced by another upload afterwards */
export const versionName = (version: number, cause: VersionCause, isReplaced: boolean): string =>
  `Versión ${version}, ${isReplaced ? 'reemplazada' : versionCauses[cause]}`

/** In lists, for those who may not read it. */
export const blockedTitle = 'Documento bloqueado'

/** @param length and @param longest in letters */
export const titleTooLong = (length: number, longest: number): string =>
  `El título tiene ${length} caracteres y el límite es ${longest}: acórtelo.`

/** For an archive of documents, of some of which the file was purged. */
export const missingFilesText = (documents: readonly { folio: string; title: string }[]): string =>
  [
    'El archivo de estos documentos fue eliminado:',
    ...documents.map(({ folio, title }) => `${folio} ${title}`),
    '',
  ].join('\r\n')
