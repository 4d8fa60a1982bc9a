import { isArray, isRef } from '#server/domain/pdf/object.ts'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import type { Comparison } from './comparison.ts'
import { type Judgement, knownAs, other } from './finding.ts'

const CODES = { Root: 'catalog-replaced', Encrypt: 'encryption-changed' } as const
const KEYS = ['Root', 'Encrypt'] as const

/**
 * The trailer may change its bookkeeping (/Prev, /Size, /ID) and nothing else that a reader looks at; /Info
 * is judged with the metadata.
 *
 * @see ISO 32000-2:2020, table 15
 */
export function judgeTrailer(comparison: Comparison): Judgement {
  const { before, after, isSame } = comparison
  const differing = KEYS.filter(
    (key) =>
      !isSame(before.trailer.entries.get(key), after.trailer.entries.get(key)) ||
      (key === 'Encrypt' && !hasSameKey(comparison)),
  )
  return {
    findings: differing.map((key) =>
      knownAs('trailer-or-catalog-swap', other('trailer', changeFact(CODES[key]))),
    ),
    judged: new Set(),
  }
}

/** The first part of /ID is part of the key of an encrypted file. @see ISO 32000-2:2020, 7.6.4.3.2 */
function hasSameKey({ before, after, isSame }: Comparison): boolean {
  if (!before.isEncrypted) return true
  const [old, now] = [before, after].map((document) => {
    const id = document.resolve(document.trailer.entries.get('ID'))
    return isArray(id) ? id.items[0] : null
  })
  return isSame(old, now)
}

/** The number of the catalog; 0 when it is no indirect object. */
export function catalogNumber({ before }: Comparison): number {
  const root = before.trailer.entries.get('Root')
  return isRef(root) ? root.number : 0
}
