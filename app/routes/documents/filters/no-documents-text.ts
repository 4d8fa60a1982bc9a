import type { Asked } from './list-address.ts'

/** Says that the list is empty, and how to find more. */
export function noDocumentsText(
  { text, state, kind, by, from, to, signer, signingSession }: Asked,
  { wasCutShort, canUpload }: { wasCutShort: boolean; canUpload: boolean },
): string {
  if (from && to && from > to)
    return '“Subido desde” es posterior a “Subido hasta”: ningún día queda entre los dos. Cambie uno de ellos.'
  if (wasCutShort) return 'Nada entre los documentos más recientes.'
  const isFiltered = [state, kind, by, from, to, signer, signingSession].some(
    (value) => value !== undefined,
  )
  if (text !== '' && isFiltered)
    return 'Ningún documento coincide con la búsqueda y los filtros. Quite un filtro o busque con menos palabras.'
  if (text !== '')
    return 'Ningún documento coincide con la búsqueda. Busque con menos palabras, o con un número o un nombre.'
  if (from || to) return 'Ningún documento coincide con los filtros. Quite uno o amplíe las fechas.'
  if (isFiltered) return 'Ningún documento coincide con los filtros. Quite uno de ellos.'
  return canUpload
    ? 'Todavía no hay documentos. Suba el primero en PDF.'
    : 'Todavía no hay documentos.'
}
