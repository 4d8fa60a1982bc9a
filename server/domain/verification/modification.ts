import { MODIFICATION_LEVELS, type ModificationLevel } from './report.ts'

/** The worst of the levels; NONE when nothing changed. */
export function worstLevel(changes: readonly { level: ModificationLevel }[]): ModificationLevel {
  const worst = Math.max(0, ...changes.map(({ level }) => MODIFICATION_LEVELS.indexOf(level)))
  return MODIFICATION_LEVELS[worst] as ModificationLevel
}
