import type { SignatureDictionary } from '#server/domain/pdf/signature-dictionaries.ts'
import type { CertificationLevel } from '#server/domain/pdf/signature-permissions.ts'
import { fieldLabel } from '#server/domain/text/shown-text.ts'
import { type Certification, levelOf } from './certification.ts'
import { worstLevel } from './modification.ts'
import type { Change, ModificationLevel, SignatureReport } from './report.ts'

/** What of a signature says which later changes it allows. */
export type Permissions = {
  dictionary: Pick<SignatureDictionary, 'locks' | 'references'>
  certification: Certification | undefined
}

/** The strictest word about changes after the signature: of the certification or of its own locks. */
export function allowedChanges({
  dictionary,
  certification,
}: Permissions): CertificationLevel | undefined {
  const levels = dictionary.locks.flatMap(({ level }) => (level ? [level] : []))
  return [...levels, ...(certification ? [certification.level] : [])].sort()[0]
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
  { certification }: Permissions,
  modification: ModificationLevel,
): SignatureReport['docMdp'] {
  if (!certification?.isOwn) return null
  const { level } = certification
  return { level, respected: isAllowed(modification, level) }
}

/** What it locks, and whether that was respected; empty when it locks nothing. */
export function fieldMdpOf(
  { dictionary: { locks } }: Permissions,
  changes: readonly Change[],
): SignatureReport['fieldMdp'] {
  const respected = !changes.some(({ breaksLock }) => breaksLock)
  const unique = new Map(
    locks.map(({ action, fields }) => [JSON.stringify([action, fields]), { action, fields }]),
  )
  return [...unique.values()].map(({ action, fields }) => ({
    action,
    fields: fields.map((field) => fieldLabel(field)),
    respected,
  }))
}

/** It says that it certifies a document that was certified before. */
export const isLaterCertification = ({ dictionary, certification }: Permissions) =>
  levelOf(dictionary) !== undefined && certification?.isOwn !== true
