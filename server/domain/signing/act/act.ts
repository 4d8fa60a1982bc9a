import { z } from 'zod'
import { Day } from '#server/domain/day.ts'
import { DeclaredCharacter } from '#server/domain/identity/signing-character.ts'
import { line, searchable } from '#server/domain/identity/text.ts'
import { ActId, OfficeId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/** The largest number of signers that a role can ask for. */
const MOST_OF_A_ROLE = 40
export const MOST_ROLES = 8
/** Acts of one office, retired ones included. */
export const MOST_ACTS = 100

const ActName = line(80)
const count = (least: number) => z.int().min(least).max(MOST_OF_A_ROLE)

/** The parties of an act that sign in one character. */
const Role = z.object({
  /** `Parte vendedora` */
  character: line(80),
  /** Zero for those who sign in some cases only, as the spouse of a seller. */
  least: count(0),
  most: count(1),
})
export type ActRole = z.infer<typeof Role>

/** Whether a person of the office signs by their capacity. No template names a notarial character. */
const NotarySigns = z.enum(['signs', 'absent'])

/** Whether an act may be signed electronically in one state of the federation. */
export const ElectronicAnswer = z.enum(['yes', 'no', 'unknown'])
export type ElectronicAnswer = z.infer<typeof ElectronicAnswer>

const Statement = z.object({
  answer: ElectronicAnswer,
  /** The state of the federation that it is about. */
  entity: line(60),
  /** Where it is written: `Ley del Notariado, artículo 100 Bis`. Null if it was not looked up. */
  source: line(300).nullable(),
  /** When that was read; null without a source. */
  day: Day.nullable(),
})
export type ElectronicStatement = z.infer<typeof Statement>

/** What an administrator writes about an act. The law differs by state and changes: each answer has a source and a date. */
export const ActData = z.object({
  name: ActName,
  roles: z
    .array(
      Role.extend({ character: DeclaredCharacter }).refine(
        ({ least, most }) => least <= most,
        'more at least than at most',
      ),
    )
    .max(MOST_ROLES)
    .refine(hasEachOnce, 'a role twice'),
  notary: NotarySigns,
  /** Null: not answered yet. */
  electronic: Statement.refine(
    ({ answer, source, day }) => answer === 'unknown' || (source !== null && day !== null),
    'an answer without its source',
  ).nullable(),
})
export type ActData = z.infer<typeof ActData>

function hasEachOnce(roles: readonly ActRole[]): boolean {
  return new Set(roles.map(({ character }) => searchable(character))).size === roles.length
}

/** An act in the office's list: who signs it. */
export const Act = z.object({
  id: ActId,
  officeId: OfficeId,
  name: ActName,
  roles: z.array(Role),
  notary: NotarySigns,
  electronic: Statement.nullable(),
  state: z.enum(['active', 'retired']),
  /** Null for an act of the program that the office has not changed. */
  at: Instant.nullable(),
  by: UserId.nullable(),
})
export type Act = z.infer<typeof Act>

/** The act that a session was made for, as it was then: later changes of the office's list do not reach it. */
export const SessionAct = z.object({
  id: ActId,
  name: ActName,
  roles: z.array(Role),
  notary: NotarySigns,
  electronic: Statement,
})
export type SessionAct = z.infer<typeof SessionAct>

/** The act for a session of an office in this state of the federation. */
export const actIn = (act: Act, entity: string): SessionAct => ({
  ...{ id: act.id, name: act.name, roles: act.roles, notary: act.notary },
  electronic: electronicIn(act, entity),
})

/** What is known there: an answer for another state says nothing. */
export function electronicIn(
  { electronic }: Pick<Act, 'electronic'>,
  entity: string,
): ElectronicStatement {
  if (electronic !== null && searchable(electronic.entity) === searchable(entity)) return electronic
  return { answer: 'unknown', entity, source: null, day: null }
}

/** Whether signatures of the session leave the protocol to be signed: always, unless the act may be signed electronically. */
export const leavesProtocol = (act: Pick<SessionAct, 'electronic'> | null): boolean =>
  act !== null && act.electronic.answer !== 'yes'

type ActFacts = Pick<Act, 'name' | 'roles' | 'notary' | 'electronic'>

/** The names of the facts that differ. */
export const changedFactsOf = (seen: ActFacts, next: ActFacts): string[] =>
  (['name', 'roles', 'notary', 'electronic'] as const).filter(
    (fact) => JSON.stringify(seen[fact]) !== JSON.stringify(next[fact]),
  )
