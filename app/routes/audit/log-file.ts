import { canonicalEvent } from '#server/domain/audit/event.ts'
import { CSV_BEGINNING, csvLine } from '#server/domain/csv.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { formatMinute, toTimestamp, zoneName } from '#server/domain/time.ts'
import type { LogEvent } from '#server/features/audit/export-log.ts'
import { auditActions } from '#server/words/audit/audit-actions.ts'
import { nameOfSubject, plainSentence } from '#server/words/audit/audit-sentences.ts'
import { timesOf } from './times-of.ts'

type Events = AsyncIterable<LogEvent>

/** CSV for spreadsheets: the columns of the page with names as they are today; the other format has all fields. */
export async function* csvOf(events: Events, timeZone: string): AsyncGenerator<string> {
  yield CSV_BEGINNING +
    csvLine([
      'Número',
      'Resultado',
      'Evento',
      'Quién',
      'Sobre',
      'Qué ocurrió',
      'Dirección IP',
      'Dispositivo',
      `Cuándo (${zoneName(timeZone)})`,
      'Instante (UTC)',
      'Identificador',
      'Huella de la hoja',
      'Veces',
    ])
  for await (const { seq, ...event } of events) {
    const { action, actor, subject, about } = event
    yield csvLine([
      seq,
      event.result === 'success' ? 'Correcto' : 'Rechazado',
      auditActions[action],
      actor.kind === 'anonymous' ? 'Sin sesión' : shownText(actor.name),
      nameOfSubject(about) ?? '',
      plainSentence(event),
      event.ip,
      event.device,
      formatMinute(event.at, timeZone),
      toTimestamp(event.at),
      subject.kind === 'nothing' ? '' : subject.id,
      event.leafHash,
      timesOf(event) ?? 1,
    ])
  }
}

/**
 * The canonical bytes of each event, as in the evidence package: a leaf is the hash of a zero byte and the
 * line. They name who acted; a name of what it is about would be a byte that no one signed.
 */
export async function* jsonLinesOf(events: Events): AsyncGenerator<string> {
  for await (const { seq, position: _, leafHash: __, about: ___, ...event } of events)
    yield `${new TextDecoder().decode(canonicalEvent(seq, event))}\n`
}
