import { type Day, daysAfter } from '#server/domain/day.ts'
import { dayText } from '#server/domain/documents/instrument.ts'
import type { NamedDeadline } from '#server/domain/obligations/deadline.ts'
import { parseInstant } from '#server/domain/time.ts'
import {
  aboutText,
  deadlineStates,
  isUnconfirmed,
  sourceText,
  termText,
} from '#server/words/obligations.ts'

/** Deadlines with fewer days left are said to end soon. */
const SOON = 7

/** A deadline as lists and its page show it. Folio and kind only: no title. */
export function deadlineRow({ deadline, obligation, document }: NamedDeadline, today: Day) {
  const { id, about, dueOn, doneOn, note, acknowledgement } = deadline
  const { sourceDay } = obligation
  return {
    ...{ id: id as string, name: obligation.name, channel: obligation.channel },
    about: aboutText(about, document),
    document: document ? `/dashboard/documents/${document.id}` : null,
    due: { at: parseInstant(dueOn) as number, text: dayText(dueOn) },
    ...standingOf(deadline, today),
    term: termText(obligation.term),
    source: sourceText(obligation, sourceDay && dayText(sourceDay)),
    isUnconfirmed: isUnconfirmed(obligation),
    base: about.kind === 'document' ? dayText(about.base) : null,
    done: doneOn && { at: parseInstant(doneOn) as number, text: dayText(doneOn) },
    ...{ note, acknowledgement },
  }
}

export type DeadlineRowView = ReturnType<typeof deadlineRow>

function standingOf(
  { state, dueOn }: NamedDeadline['deadline'],
  today: Day,
): { tone: 'good' | 'wait' | 'bad' | 'plain'; standing: string } {
  switch (state) {
    case 'done':
      return { tone: 'good', standing: deadlineStates.done }
    case 'not-applicable':
    case 'withdrawn':
      return { tone: 'plain', standing: deadlineStates[state] }
    case 'open':
      if (dueOn < today) return { tone: 'bad', standing: 'Vencida' }
      if (dueOn === today) return { tone: 'wait', standing: 'Vence hoy' }
      return dueOn < daysAfter(today, SOON)
        ? { tone: 'wait', standing: 'Por vencer' }
        : { tone: 'plain', standing: deadlineStates.open }
  }
}
