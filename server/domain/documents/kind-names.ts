import type { DocumentKind } from './document.ts'

/** What a document is, on paper: es-MX. The screens call it the same. */
export const KIND_NAMES: Record<DocumentKind, string> = {
  'certified-copy': 'Copia certificada',
  testimony: 'Testimonio',
  act: 'Acta',
  letter: 'Carta',
  'power-of-attorney': 'Poder',
  contract: 'Contrato',
  notice: 'Aviso',
  draft: 'Proyecto',
  other: 'Otro',
}
