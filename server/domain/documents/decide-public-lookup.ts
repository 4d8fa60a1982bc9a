import { searchable } from '#server/domain/identity/text.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Document } from './document.ts'
import type { PublicLookup } from './public-lookup.ts'

/** `sucesión testamentaria` is none: the will of a dead person was opened. */
const WILL = /\b(?:testamentos?|codicilos?)\b/

/** A will, or a notice of one: strangers must not learn that it exists. */
export const isWill = ({
  kind,
  title,
  instrument,
}: Pick<Document, 'kind' | 'title' | 'instrument'>): boolean =>
  // Without the acts of an instrument the title names the act.
  kind === 'will' || WILL.test(searchable(instrument?.acts ?? title))

/** Of a new document: kind and act decide. */
export const lookupOfNew = (
  described: Pick<Document, 'kind' | 'title' | 'instrument'>,
  at: Instant,
): PublicLookup => ({ state: isWill(described) ? 'off' : 'on', since: at, by: null })

/** After its kind or act was changed: what a notary decided stays. */
export function lookupAfterChange(document: Document, at: Instant): PublicLookup {
  const { publicLookup } = document
  const decided = lookupOfNew(document, at)
  return publicLookup.by !== null || publicLookup.state === decided.state ? publicLookup : decided
}
