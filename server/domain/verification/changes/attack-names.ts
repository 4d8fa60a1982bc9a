import { entriesOf, isNamed } from '#server/domain/pdf/object.ts'
import type { Comparison } from './comparison.ts'
import { type Finding, knownAs } from './finding.ts'

/** The findings; a forbidden change that no rule could name better is one of the two attacks that fit any. */
export function withAttackNames(comparison: Comparison, findings: readonly Finding[]): Finding[] {
  if (!findings.some(isUnnamed)) return [...findings]
  const attack = showsWhatWasHidden(comparison) ? 'shadow-hide-and-replace' : 'incremental-saving'
  return findings.map((finding) => (isUnnamed(finding) ? knownAs(attack, finding) : finding))
}

const isUnnamed = ({ level, attack, breaksLock }: Finding) =>
  level === 'OTHER' && attack === undefined && breaksLock === undefined

/**
 * Something that readers show today was already in the signed file but unreachable: an object without
 * references, or a second body of an object whose number leads there now.
 */
function showsWhatWasHidden({ before, after, reachBefore, reachAfter, changed }: Comparison) {
  const isHidden = (number: number) => {
    if (reachBefore.roles.has(number) || (before.entry(number)?.kind ?? 'free') === 'free')
      return false
    const type = entriesOf(after.object(number)?.value).get('Type')
    return !isNamed(type, 'Sig') && after.object(number) !== undefined
  }
  const leadsBack = (number: number) => {
    const entry = after.entry(number)
    return entry?.kind === 'offset' && entry.offset < before.source.length
  }
  return [...reachAfter.roles.keys()].some(isHidden) || [...changed].some(leadsBack)
}
