import { MODIFICATION_LEVELS, type ModificationLevel } from './report.ts'

/** The worst of the levels; NONE when nothing changed. */
export function worstLevel(changes: readonly { level: ModificationLevel }[]): ModificationLevel {
  const hasLevel = (level: ModificationLevel) => changes.some((change) => change.level === level)
  return MODIFICATION_LEVELS.findLast(hasLevel) ?? 'NONE'
}
