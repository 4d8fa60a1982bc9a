import type { Alert } from '#server/domain/alerts/alert.ts'
import { titleOfAlert } from './alerts.ts'
import { documentKinds } from './documents.ts'

/* The lines of a daily mail about alerts, es-MX. */

type Listed = Pick<Alert, 'kind' | 'facts' | 'occurrences'>

/**
 * One line for each title, as often as it occurs, with folio and kind of the documents. Never a name: a mail may be read by others,
 * and titles of documents and sessions name clients.
 */
export function digestLines(alerts: readonly Listed[]): string[] {
  const groups = Map.groupBy(alerts, ({ kind }) => titleOfAlert(kind) ?? 'Alerta')
  return [...groups].map(([title, of]) => {
    const times = of.reduce((sum, { occurrences }) => sum + occurrences, 0)
    const documents = [...new Set(of.flatMap(documentOf))]
    const counted = times > 1 ? `${title} (${times.toLocaleString('es-MX')})` : title
    return documents.length > 0 ? `${counted}: ${documents.join(', ')}` : counted
  })
}

function documentOf({ facts: { folio, documentKind } }: Listed): string[] {
  if (typeof folio !== 'string') return []
  const kind = documentKinds[documentKind as keyof typeof documentKinds]
  return [kind ? `${folio} (${kind})` : folio]
}
