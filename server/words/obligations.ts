import type { FederalDay } from '#server/domain/calendar/working-days.ts'
import type { Document, DocumentKind } from '#server/domain/documents/document.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { Deadline, DeadlineState } from '#server/domain/obligations/deadline.ts'
import type {
  Counting,
  Obligation,
  ObligationTerm,
  Shift,
} from '#server/domain/obligations/obligation.ts'
import { documentKinds } from './documents.ts'
import { monthText } from './reports.ts'

/* Words for obligations and their deadlines, es-MX. */

/** Beside every list: nothing here is legal advice. */
export const NOT_ADVICE =
  'Los plazos son parámetros que anota su notaría, cada uno con su fuente y la fecha en que se leyó. Rúbrica no da asesoría legal: compruébelos antes de confiar en ellos.'

/** In place of a source that the program does not know. */
export const NO_SOURCE = 'Sin fuente: la notaría la anota'

export const federalDays: Record<FederalDay, string> = {
  'new-year': 'Año Nuevo',
  constitution: 'Aniversario de la Constitución',
  juarez: 'Natalicio de Benito Juárez',
  labour: 'Día del Trabajo',
  independence: 'Día de la Independencia',
  'federal-executive': 'Transmisión del Poder Ejecutivo Federal',
  revolution: 'Aniversario de la Revolución',
  christmas: 'Navidad',
}

export const FEDERAL_SOURCE = 'Ley Federal del Trabajo, artículo 74'

export const countings: Record<Counting, string> = {
  natural: 'Días naturales',
  working: 'Días hábiles',
}

export const shifts: Record<Shift, string> = {
  stay: 'Se queda ese día',
  next: 'Pasa al siguiente día hábil',
  previous: 'Se adelanta al día hábil anterior',
}

export const deadlineStates: Record<DeadlineState, string> = {
  open: 'Pendiente',
  done: 'Cumplida',
  'not-applicable': 'No aplica',
  withdrawn: 'Retirada',
}

/** `15 días naturales después de la firma`, `El día 17 de cada mes, sobre el mes anterior` */
export function termText(term: ObligationTerm): string {
  if (term.basis === 'month')
    return term.day === null
      ? 'Cada mes; el día lo anota la notaría'
      : `El día ${term.day} de cada mes, sobre el mes anterior${shiftText(term.shift)}`
  if (term.days === null) return 'Después de la firma; los días los anota la notaría'
  const days = `${term.days} ${term.days === 1 ? ONE_DAY[term.counting] : DAYS[term.counting]}`
  return `${days} después de la firma${term.counting === 'working' ? '' : shiftText(term.shift)}`
}

const ONE_DAY: Record<Counting, string> = { natural: 'día natural', working: 'día hábil' }
const DAYS: Record<Counting, string> = { natural: 'días naturales', working: 'días hábiles' }

function shiftText(shift: Shift): string {
  switch (shift) {
    case 'stay':
      return ''
    case 'next':
      return '; si no es hábil, el siguiente que lo sea'
    case 'previous':
      return '; si no es hábil, el anterior que lo sea'
  }
}

/** `Testamento; o con el acto Compraventa, Donación` */
export function appliesText(term: ObligationTerm): string {
  if (term.basis === 'month') return 'La notaría'
  const kinds = term.kinds.map((kind) => documentKinds[kind]).join(', ')
  const acts = term.acts.length > 0 ? `Instrumentos con el acto ${term.acts.join(', ')}` : ''
  return [kinds, acts].filter(Boolean).join('; ')
}

/**
 * `Ley del ISR, artículo 126 (leída el 28 nov 2026)`; of a term that the office has not saved, when the program's catalogue was written.
 *
 * @param day how the day of the source is shown
 */
export function sourceText(
  { source, at }: Pick<Obligation, 'source' | 'at'>,
  day: string | null,
): string {
  if (source === null) return NO_SOURCE
  if (day === null) return source
  return `${source} (${at === null ? 'catálogo del sistema,' : 'leída el'} ${day})`
}

/** A term of the program, until the office saves it. */
export const isUnconfirmed = ({ at }: Pick<Obligation, 'at'>): boolean => at === null

export const UNCONFIRMED = 'Sin confirmar por la notaría'

/** `NOT-2026-000012 (Escritura)`; the month for one without a document. Never a title: titles name clients. */
export const aboutText = (
  about: Deadline['about'],
  document: Pick<Document, 'folio' | 'kind'> | undefined,
): string =>
  about.kind === 'month'
    ? monthText(about.period)
    : document
      ? folioAndKind(document)
      : 'Un documento'

const folioAndKind = ({ folio, kind }: { folio: string; kind: DocumentKind }) =>
  `${folio} (${documentKinds[kind]})`

/** Documents that an alert names. */
const MOST_NAMED = 3

/** The facts of an alert about these deadlines: folio and kind only. */
export function deadlineFacts(
  deadlines: readonly Deadline[],
  documents: ReadonlyMap<DocumentId, Document>,
): Record<string, string | number> {
  const documentOf = ({ about }: Deadline) =>
    about.kind === 'document' ? documents.get(about.documentId) : undefined
  const [first] = deadlines
  const document = first && documentOf(first)
  const listed = deadlines
    .slice(0, MOST_NAMED)
    .map((deadline) => aboutText(deadline.about, documentOf(deadline)))
  return {
    ...{ count: deadlines.length, listed: listed.join(', ') },
    ...(first && deadlines.length === 1 && { deadline: first.id }),
    ...(document && { folio: document.folio, documentKind: document.kind }),
  }
}
