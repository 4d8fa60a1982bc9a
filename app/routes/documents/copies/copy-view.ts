import type { CopyMedium } from '#server/domain/documents/copies/issued-copy.ts'
import { formatDay, formatInstant, parseInstant } from '#server/domain/time.ts'
import type { ListedCopy } from '#server/features/copies/list-copies.ts'
import { copyName } from '#server/words/copies.ts'

/** A copy as pages show it, with times in the office's time zone. */
export function copyView(copy: ListedCopy, timeZone: string) {
  const { id, kind, ordinal, part, recipient, medium, issuedOn, note, version } = copy
  const when = (at: ListedCopy['at']) => ({ at, text: formatInstant(at, timeZone) })
  return {
    ...{ id, note, version, mayCancel: copy.mayCancel },
    name: copyName(kind, ordinal),
    extent: part === null ? 'Total' : `Parcial: ${part}`,
    recipient: {
      name: recipient.name,
      about: [recipient.character, recipient.rfc && `RFC ${recipient.rfc}`]
        .filter((text) => text !== null)
        .join(' · '),
    },
    medium: mediumText(medium),
    issuedOn: formatDay(parseInstant(`${issuedOn}T00:00:00Z`), 'UTC'),
    recorded: { by: copy.byName, when: when(copy.at) },
    cancelled: copy.cancelled && {
      text: `${copy.cancelled.byName} canceló el registro: ${copy.cancelled.reason}`,
      when: when(copy.cancelled.at),
    },
  }
}
export type CopyView = ReturnType<typeof copyView>

function mediumText(medium: CopyMedium): string {
  if (medium.kind === 'electronic') return 'En archivo electrónico'
  const { sheets } = medium
  return sheets === 1 ? 'En papel, una hoja' : `En papel, ${sheets.toLocaleString('es-MX')} hojas`
}
