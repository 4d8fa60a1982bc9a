import { actorContext, systemContext } from '#app/http/context.ts'
import { linesAnswer, orErrorText } from '#app/http/file-answer.ts'
import { CSV_BEGINNING, csvLine } from '#server/domain/csv.ts'
import { volumeNameOf } from '#server/domain/documents/instrument.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { exportInstrumentIndex, type IndexLine } from '#server/features/reports/instrument-index.ts'
import type { Route } from './+types/instruments-csv'
import { IndexQuery } from './index-query.ts'
import { type IndexRow, indexRow } from './index-rows.ts'

/** Downloads the index of a series, streamed. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const asked = IndexQuery.parse(Object.fromEntries(url.searchParams))
  const { series: seriesId, first, last } = asked
  const query = { seriesId, first, last }
  const { entity } = await orErrorText(readOffice(system, actor))
  const { series, lines } = await orErrorText(exportInstrumentIndex(system, actor, query))
  const volumeName = volumeNameOf(volumeWordOf(entity))
  return linesAnswer(`índice de ${series.name}.csv`, 'text/csv', csvOf(lines, volumeName))
}

/** For spreadsheets: numbers without thousands separators. */
async function* csvOf(lines: AsyncIterable<IndexLine>, volumeName: string): AsyncGenerator<string> {
  yield CSV_BEGINNING +
    csvLine([
      ...['Del número', 'Al número', volumeName, 'Folios', 'Fecha', 'Acto', 'Comparecientes'],
      ...['Estado', 'Motivo o nota', 'Folio', 'Documento'],
    ])
  for await (const line of lines) yield csvLine(cellsOf(indexRow(line)))
}

const cellsOf = (row: IndexRow): (string | number)[] => [
  ...[row.first, row.last].map((number) =>
    typeof number === 'string' ? shownText(number) : number,
  ),
  ...[row.volume, row.folios, row.date, row.acts, row.parties.join('; ')].map(shownText),
  ...[row.state, shownText(row.note), row.document?.folio ?? ''],
  shownText(row.document?.title ?? ''),
]
