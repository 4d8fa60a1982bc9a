import { actorContext, systemContext } from '#app/http/context.ts'
import { linesAnswer, orErrorText } from '#app/http/file-answer.ts'
import { CSV_BEGINNING, csvLine } from '#server/domain/csv.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { formatMinute, zoneName } from '#server/domain/time.ts'
import { exportConsents, type ListedConsent } from '#server/features/care/list-consents.ts'
import { consentKinds, noticeName } from '#server/words/care/consents.ts'
import type { Route } from './+types/consents-file'
import { ConsentQuery } from './consent-query.ts'

/** Downloads the consents of the filters, streamed. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { behind: _, ...asked } = ConsentQuery.parse(Object.fromEntries(url.searchParams))
  const { office, lines } = await orErrorText(exportConsents(system, actor, asked))
  return linesAnswer('consentimientos.csv', 'text/csv', csvOf(lines, office.timeZone))
}

async function* csvOf(
  lines: AsyncIterable<ListedConsent>,
  timeZone: string,
): AsyncGenerator<string> {
  yield CSV_BEGINNING +
    csvLine([
      ...[`Cuándo (${zoneName(timeZone)})`, 'Persona', 'RFC', 'Consentimiento', 'Aviso'],
      ...['SHA-256 del aviso', 'Documento'],
    ])
  for await (const line of lines)
    yield csvLine([
      ...[formatMinute(line.at, timeZone), shownText(line.name), line.rfc, consentKinds[line.kind]],
      ...[
        line.notice === null ? '' : noticeName(line.version),
        line.notice ?? '',
        line.folio ?? '',
      ],
    ])
}
