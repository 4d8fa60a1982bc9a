import { formatInstant } from '#server/domain/time.ts'
import type { DocumentList } from '#server/features/checklists/read-document-checks.ts'
import { progressOf } from '#server/words/checklists.ts'

/** The lists of a document, as its pages show them. */
export type ListView = ReturnType<typeof listView>

export const listView = ({ actId, actName, checks }: DocumentList, timeZone: string) => ({
  ...{ id: actId as string, name: actName },
  progress: progressOf(checks.filter(({ check }) => check.state === 'done').length, checks.length),
  isBegun: checks.some(({ check }) => check.state === 'done'),
  items: checks.map(({ check, by }) => ({
    ...{ position: check.position, text: check.text, phase: check.phase, need: check.need },
    ...{ state: check.state, note: check.note, by, at: check.at as number },
    when: formatInstant(check.at, timeZone),
  })),
})
