import type { Attack, ModificationLevel } from '#server/domain/verification/report.ts'

/** What a rule has to say about an object that changed. */
export type Finding = {
  readonly level: ModificationLevel
  readonly object: number | 'trailer'
  /** Counts from 1. */
  readonly page?: number
  /** es-MX */
  readonly sentence: string
  readonly attack?: Attack
  readonly breaksLock?: true
}

export type Judgement = {
  readonly findings: readonly Finding[]
  /** Changed objects about which this rule has said all there is to say. */
  readonly judged: ReadonlySet<number>
}

export const other = (object: number | 'trailer', sentence: string, page?: number): Finding =>
  page === undefined
    ? { level: 'OTHER', object, sentence }
    : { level: 'OTHER', object, page, sentence }

/** The finding with the name of the attack that works like that. */
export const knownAs = (attack: Attack, finding: Finding): Finding => ({ ...finding, attack })
