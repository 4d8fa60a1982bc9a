import { canonicalJson } from '#server/domain/canonical-json.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { Document } from './document.ts'
import type { Party } from './instrument.ts'

/** What people write about a document. */
export type Description = Pick<Document, 'title' | 'kind' | 'instrument'>

/** Identifies a description: a form sends back that of the one it showed. */
export const digestOfDescription = ({ title, kind, instrument }: Description): Sha256 =>
  sha256(canonicalJson({ title, kind, instrument }))

/**
 * The facts that differ, as details of an event: `title` and `titleBefore`, and so on; empty if nothing differs. The
 * log cannot be rewritten, so it has the number of parties, not their names.
 */
export function changedFacts(
  before: Description,
  after: Description,
): Record<string, string | number | null> {
  const [old, now] = [factsOf(before), factsOf(after)]
  const names = NAMES.filter((name) => canonicalJson(old[name]) !== canonicalJson(now[name]))
  return Object.fromEntries(
    names.flatMap((name) => [
      [name, loggable(now[name])],
      [`${name}Before`, loggable(old[name])],
    ]),
  )
}

const NAMES = [
  'title',
  'kind',
  'instrument',
  'volume',
  'folios',
  'date',
  'acts',
  'parties',
] as const

type Facts = Record<(typeof NAMES)[number], string | readonly Party[] | null>

const factsOf = ({ title, kind, instrument }: Description): Facts => ({
  title,
  kind,
  instrument: instrument?.number ?? null,
  volume: instrument?.volume ?? null,
  folios: instrument?.folios ?? null,
  date: instrument?.date ?? null,
  acts: instrument?.acts ?? null,
  parties: instrument?.parties ?? [],
})

const loggable = (fact: Facts[(typeof NAMES)[number]]) =>
  typeof fact === 'string' || fact === null ? fact : fact.length
