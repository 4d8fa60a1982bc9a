import { actorContext, systemContext } from '#app/http/context.ts'
import { linesAnswer, orErrorText } from '#app/http/file-answer.ts'
import { CSV_BEGINNING, csvLine } from '#server/domain/csv.ts'
import type { DocumentCounts } from '#server/domain/reports/document-counts.ts'
import { readDocumentReport } from '#server/features/reports/read-document-report.ts'
import { documentKinds, documentStatesOfMany } from '#server/words/documents.ts'
import type { Route } from './+types/documents-csv'
import { PeriodQuery } from './period-query.ts'

/** Downloads the counts as a table of numbers: a row for each kind, a column for each state. */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const asked = PeriodQuery.parse(Object.fromEntries(url.searchParams))
  const report = await orErrorText(
    readDocumentReport(system, actor, asked, { as: 'file', signal: request.signal }),
  )
  const { from, to } = report.period
  return linesAnswer(`documentos ${from} a ${to}.csv`, 'text/csv', csvOf(report.counts))
}

const STATES = Object.keys(documentStatesOfMany) as (keyof typeof documentStatesOfMany)[]

function* csvOf(counts: DocumentCounts | undefined): Generator<string> {
  yield CSV_BEGINNING + csvLine(['Tipo', ...Object.values(documentStatesOfMany), 'Total'])
  for (const { kind, states, total } of counts?.kinds ?? [])
    yield csvLine([documentKinds[kind], ...STATES.map((state) => states[state]), total])
}
