import type { DocumentColumn, DocumentOrder } from '#server/domain/documents/document-list.ts'

/* Words for the list of documents, es-MX. */

export const documentColumns: Record<DocumentColumn, string> = {
  state: 'Estado',
  folio: 'Folio',
  instrument: 'Instrumento',
  parties: 'Comparecientes',
  awaited: 'Se espera a',
  kind: 'Tipo',
  author: 'Subido por',
  changed: 'Último cambio',
  created: 'Subido',
}

export const documentOrders: Record<DocumentOrder, string> = {
  newest: 'Más recientes',
  oldest: 'Más antiguos',
  changed: 'Último cambio',
  title: 'Título (A–Z)',
}
