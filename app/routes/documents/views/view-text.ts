import { activeFilters } from '#app/routes/documents/filters/active-filters.ts'
import type { Asked } from '#app/routes/documents/filters/list-address.ts'
import { documentColumns, documentOrders } from '#server/words/document-list.ts'
import { documentStatesOfMany } from '#server/words/documents.ts'

/** What a list of documents shows, in a line. */
export function viewText(
  asked: Asked,
  ...[office, uploaders, own]: Tail<Parameters<typeof activeFilters>>
): string {
  const { text, state, order, columns } = asked
  const filters = activeFilters(asked, office, uploaders, own).map(({ name }) => name)
  const parts = [
    ...(state ? [documentStatesOfMany[state]] : []),
    ...(text ? [`Búsqueda: “${text}”`] : []),
    ...filters,
    ...(order ? [documentOrders[order]] : []),
    ...(columns
      ? [`Columnas: ${columns.map((column) => documentColumns[column]).join(', ')}`]
      : []),
  ]
  return parts.length > 0 ? parts.join(' · ') : 'Todos los documentos, los más recientes primero'
}

type Tail<List extends readonly unknown[]> = List extends readonly [unknown, ...infer Rest]
  ? Rest
  : never
