import type { Act } from '#server/domain/signing/act/act.ts'

export type ActChoice = { value: string; label: string }

/**
 * The acts that a session can be made for.
 *
 * @param current stays a choice after the office has retired it
 */
export function actChoices(
  acts: readonly Act[],
  current: { id: string; name: string } | null = null,
): ActChoice[] {
  const active = acts.filter(({ state }) => state === 'active')
  const choices = active.map(({ id, name }) => ({ value: id as string, label: name }))
  const isMissing = current !== null && choices.every(({ value }) => value !== current.id)
  return [
    { value: '', label: 'Ninguno' },
    ...choices,
    ...(isMissing ? [{ value: current.id, label: `${current.name} (retirado)` }] : []),
  ]
}
