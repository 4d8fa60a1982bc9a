import type { ChangeFact } from '#server/domain/verification/codes/change-codes.ts'
import type { Attack, ModificationLevel } from '#server/domain/verification/report.ts'

/** What a rule has to say about an object that changed. */
export type Finding = ChangeFact & {
  readonly level: ModificationLevel
  readonly object: number | 'trailer'
  /** Counts from 1. */
  readonly page?: number
  readonly attack?: Attack
  readonly breaksLock?: true
}

export type Judgement = {
  readonly findings: readonly Finding[]
  /** Changed objects about which this rule has said all there is to say. */
  readonly judged: ReadonlySet<number>
}

export const other = (object: number | 'trailer', fact: ChangeFact, page?: number): Finding =>
  page === undefined
    ? { level: 'OTHER', object, ...fact }
    : { level: 'OTHER', object, page, ...fact }

/** The finding with the name of the attack that works like that. */
export const knownAs = (attack: Attack, finding: Finding): Finding => ({ ...finding, attack })
