import type { SignatureDictionary } from '#server/domain/pdf/signature-dictionaries.ts'
import type { CertificationLevel } from '#server/domain/pdf/signature-permissions.ts'
import type { CoverageFacts } from './coverage.ts'

/** How far the document's certification lets changes go after a signature. */
export type Certification = {
  level: CertificationLevel
  /** The signature itself certifies; else it came later and the certification holds for it too. */
  isOwn: boolean
}

type Signed = {
  dictionary: Pick<SignatureDictionary, 'references'>
  coverage: CoverageFacts
}

/**
 * The certification that is in force after each signature, in their order; undefined where there is none
 * yet. A document is certified once: what later signatures say about it does not count.
 *
 * @param mayCertify false for what signs nothing
 * @see ISO 32000-2:2020, 12.8.2.2
 */
export function certificationsOf<S extends Signed>(
  signatures: readonly S[],
  mayCertify: (signature: S) => boolean,
): (Certification | undefined)[] {
  const first = [...signatures]
    .filter((signature) => mayCertify(signature) && levelOf(signature.dictionary) !== undefined)
    .sort((a, b) => endOf(a) - endOf(b))[0]
  const level = first && levelOf(first.dictionary)
  return signatures.map((signature) => {
    if (!first || level === undefined) return undefined
    const isOwn = signature === first
    return isOwn || endOf(signature) > endOf(first) ? { level, isOwn } : undefined
  })
}

/** The level that a signature states; of two, the stricter one. */
export const levelOf = ({ references }: Signed['dictionary']) =>
  references.flatMap((one) => (one.method === 'DocMDP' ? [one.level] : [])).sort()[0]

/** Where the signed bytes end; a signature that does not say comes last. */
function endOf({ coverage: { byteRange } }: Signed): number {
  return byteRange ? byteRange[2] + byteRange[3] : Number.POSITIVE_INFINITY
}
