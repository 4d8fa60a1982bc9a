import { actorContext, systemContext } from '#app/http/context.ts'
import { linesAnswer, orErrorText } from '#app/http/file-answer.ts'
import { CSV_BEGINNING, csvLine } from '#server/domain/csv.ts'
import { Problem } from '#server/domain/problem.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { formatMinute, zoneName } from '#server/domain/time.ts'
import { ExportNumbers, exportNumbers } from '#server/features/numbers/export-numbers.ts'
import type { NumberLine } from '#server/features/numbers/named-lines.ts'
import { documentStates } from '#server/words/documents.ts'
import { numberStates } from '#server/words/numbers.ts'
import type { Route } from './+types/export'

/** Downloads the register of a series, streamed. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const { series, timeZone, lines } = await orErrorText(read())
  const rows = csvOf(series.name, lines, timeZone)
  return linesAnswer(`números de ${series.name}.csv`, 'text/csv', rows)

  async function read() {
    const { series, from, to } = Object.fromEntries(url.searchParams)
    const query = ExportNumbers.safeParse({ seriesId: series, from, to })
    if (!query.success) throw new Problem('not-found', 'no series of numbers')
    return await exportNumbers(context.get(systemContext), context.get(actorContext), query.data)
  }
}

/** For spreadsheets: numbers without thousands separators. */
async function* csvOf(
  series: string,
  lines: AsyncIterable<NumberLine>,
  timeZone: string,
): AsyncGenerator<string> {
  yield CSV_BEGINNING +
    csvLine([
      ...['Serie', 'Desde', 'Hasta', 'Cuántos', 'Estado', 'Folio', 'Documento'],
      ...['Estado del documento', 'Motivo o nota', 'Anotó', `Cuándo (${zoneName(timeZone)})`],
    ])
  for await (const line of lines) yield csvLine([series, ...cellsOf(line, timeZone)])
}

function cellsOf(line: NumberLine, timeZone: string): (string | number)[] {
  const document = line.document
    ? [line.document.folio, shownText(line.document.title), documentStates[line.document.state]]
    : ['', '', '']
  if (line.kind === 'text') {
    const { text, at } = line.text
    const cells = [shownText(text), shownText(text), '', 'Fuera del registro']
    return [...cells, ...document, '', '', formatMinute(at, timeZone)]
  }
  const { first, last, state, note, at } = line.entry
  return [
    ...[first, last, last - first + 1, numberStates[state], ...document],
    ...[shownText(note ?? ''), shownText(line.by ?? ''), formatMinute(at, timeZone)],
  ]
}
