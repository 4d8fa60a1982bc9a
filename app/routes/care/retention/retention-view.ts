import type { Tone } from '#app/ui/feedback/tone.ts'
import type { RetentionState } from '#server/domain/care/retention.ts'
import { formatDay } from '#server/domain/time.ts'
import type { ListedItem } from '#server/features/retention/list-retention.ts'
import { retentionStates } from '#server/words/care/retention.ts'
import { documentKinds, documentStates } from '#server/words/documents.ts'

const TONES: Record<RetentionState, Tone> = {
  proposed: 'wait',
  postponed: 'note',
  blocked: 'bad',
  destroyed: 'plain',
}

/** A document whose term is over, with days in the office's time zone. */
export function retentionView(item: ListedItem, timeZone: string) {
  const { document, state } = item
  return {
    ...{ id: item.documentId as string, folio: document.folio as string, title: document.title },
    kind: documentKinds[document.kind],
    ended: `${documentStates[document.state]} el ${formatDay(document.stateSince, timeZone)}`,
    state: { tone: TONES[state], word: retentionStates[state] },
    since: formatDay(item.since, timeZone),
    until: item.until === null ? null : formatDay(item.until, timeZone),
    ...{ by: item.byName, reason: item.reason },
    isProposed: state === 'proposed',
    isBlocked: state === 'blocked',
    mayDestroy: item.mayDestroy,
  }
}
export type RetentionView = ReturnType<typeof retentionView>
