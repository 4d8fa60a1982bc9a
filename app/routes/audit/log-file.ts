import { canonicalEvent } from '#server/domain/audit/event.ts'
import { CSV_BEGINNING, csvLine } from '#server/domain/csv.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { formatMinute, toTimestamp, zoneName } from '#server/domain/time.ts'
import type { LogEvent } from '#server/features/audit/export-log.ts'
import { auditActions } from '#server/words/audit-actions.ts'
import { timesOf } from './times-of.ts'

type Events = AsyncIterable<LogEvent>

/** CSV for spreadsheets, with the columns of the page; the other format has all fields. */
export async function* csvOf(events: Events, timeZone: string): AsyncGenerator<string> {
  yield CSV_BEGINNING +
    csvLine([
      'Número',
      'Resultado',
      'Evento',
      'Quién',
      'Dirección IP',
      'Dispositivo',
      `Cuándo (${zoneName(timeZone)})`,
      'Instante (UTC)',
      'Identificador',
      'Huella de la hoja',
      'Veces',
    ])
  for await (const { seq, action, actor, subject, ...event } of events)
    yield csvLine([
      seq,
      event.result === 'success' ? 'Correcto' : 'Rechazado',
      auditActions[action],
      actor.kind === 'anonymous' ? 'Sin sesión' : shownText(actor.name),
      event.ip,
      event.device,
      formatMinute(event.at, timeZone),
      toTimestamp(event.at),
      subject.kind === 'nothing' ? '' : subject.id,
      event.leafHash,
      timesOf(event) ?? 1,
    ])
}

/**
 * The canonical bytes of each event, as in the evidence package: a leaf is the hash of a zero byte and the
 * line.
 */
export async function* jsonLinesOf(events: Events): AsyncGenerator<string> {
  for await (const { seq, leafHash: _, ...event } of events)
    yield `${new TextDecoder().decode(canonicalEvent(seq, event))}\n`
}
