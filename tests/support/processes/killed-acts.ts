import process from 'node:process'
import type { DialectName } from '#server/db/database.ts'

/** From the opening of a session to the constancia over its documents. */
export const ACTS = ['opening', 'preparing', 'signing', 'closing', 'archiving', 'proving'] as const
export type KilledAct = (typeof ACTS)[number]

export const DIALECTS: readonly DialectName[] = ['sqlite', 'postgres']

/** `npm test` takes each act on one database, `npm run campaign -- steps` each on both. */
const USUAL: Record<KilledAct, DialectName> = {
  opening: 'sqlite',
  preparing: 'postgres',
  signing: 'sqlite',
  closing: 'postgres',
  archiving: 'postgres',
  proving: 'sqlite',
}

/** Of the campaign: the one that is taken, as `named` names it. */
export const CHOSEN = 'KILLED_ACT'

export const named = (dialect: DialectName, act: KilledAct) => `${dialect} ${act}`

export const isTakenOn = (dialect: DialectName) => (act: KilledAct) => {
  const chosen = process.env[CHOSEN]
  return chosen ? chosen === named(dialect, act) : USUAL[act] === dialect
}
