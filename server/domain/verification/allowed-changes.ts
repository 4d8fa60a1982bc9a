import type { SignatureDictionary } from '../pdf/signature-dictionaries.ts'
import type { CertificationLevel } from '../pdf/signature-permissions.ts'
import { worstLevel } from './modification.ts'
import type { ModificationLevel, SignatureReport } from './report.ts'

/** The strictest word of the signature about later changes: its certification or its lock. */
export function allowedChanges({
  references,
}: SignatureDictionary): CertificationLevel | undefined {
  const levels = references.flatMap((reference): CertificationLevel[] => {
    if (reference.method === 'DocMDP') return [reference.level]
    const level = reference.method === 'FieldMDP' ? reference.lock.level : undefined
    return level ? [level] : []
  })
  return levels.sort()[0]
}

const ALLOWED = { 1: 'LTA_UPDATES', 2: 'FORM_FILLING', 3: 'ANNOTATIONS' } as const

/** Whether changes of this level respect what a signature allows; all do when it says nothing. */
export function isAllowed(
  modification: ModificationLevel,
  allowed: CertificationLevel | undefined,
): boolean {
  if (allowed === undefined) return true
  return worstLevel([{ level: modification }, { level: ALLOWED[allowed] }]) === ALLOWED[allowed]
}

/** What its certification says about later changes; null when it does not certify. */
export function docMdpOf(
  { references }: SignatureDictionary,
  modification: ModificationLevel,
): SignatureReport['docMdp'] {
  const levels = references.flatMap((one) => (one.method === 'DocMDP' ? [one.level] : []))
  const level = levels.sort()[0]
  return level ? { level, respected: isAllowed(modification, level) } : null
}
