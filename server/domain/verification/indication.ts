import type { SignerFacts as CmsFacts } from '#server/domain/cms/verify-signer.ts'
import type { CertificationLevel } from '#server/domain/pdf/signature-permissions.ts'
import { isAllowed } from './allowed-changes.ts'
import { type Warning, warning } from './codes/warning.ts'
import type { CoverageFacts } from './coverage.ts'
import type { Indication, ModificationLevel, SubIndication } from './report.ts'
import type { ReadContent } from './signature-content.ts'
import type { TrustFacts } from './trust-facts.ts'

/** What is said about a signature; `reason` when it did not pass. */
export type Judgement = {
  indication: Indication
  subIndication: SubIndication | null
  reason?: Warning
}

/** What the judgement of one signature rests on. */
export type SignatureFacts = {
  content: ReadContent
  coverage: CoverageFacts
  cms: CmsFacts | undefined
  isIntact: boolean
  isWeak: boolean
  trust: TrustFacts | undefined
  modification: ModificationLevel
  /** Undefined when the signature says nothing about later changes. */
  allowed: CertificationLevel | undefined
  requiresBinding: boolean
  /** The look of a later signature or note may hide what was signed: no certification allows that. */
  mayBeCovered: boolean
  /** A filled field writes over letters that were signed. */
  isWrittenOver: boolean
  doubts: readonly Warning[]
}

/**
 * The first row of the table of the contract that holds decides.
 *
 * @see ETSI EN 319 102-1 V1.3.1, 5.1.3 and 5.3
 */
export function indicationOf(facts: SignatureFacts): Judgement {
  return failureOf(facts) ?? doubtOf(facts) ?? { indication: 'TOTAL_PASSED', subIndication: null }
}

/** What makes a signature INVALID, the first that holds. */
function failureOf({ content, coverage, cms, ...facts }: SignatureFacts): Judgement | undefined {
  if (content.kind === 'refused' || content.kind === 'empty')
    return failed('FORMAT_FAILURE', content.reason)
  if (coverage.coverage === 'UNCLEAR') return failed('FORMAT_FAILURE', coverage.reason)
  if (
    cms &&
    (cms.problems.includes('message-digest-differs') || (isChecked(cms) && !facts.isIntact))
  )
    return failed('HASH_FAILURE', warning('signed-content-differs'))
  if (cms && isChecked(cms)) {
    if (!cms.isValid) return failed('SIG_CRYPTO_FAILURE', invalidReason(cms))
    if (cms.problems.some((problem) => FORMAT_PROBLEMS.has(problem)))
      return failed('FORMAT_FAILURE', warning('signed-attributes-malformed'))
  }
  if (facts.modification === 'OTHER' || !isAllowed(facts.modification, facts.allowed))
    return failed('SIG_CONSTRAINTS_FAILURE', warning('modified-after-signature'))
  const against = facts.trust?.subIndication
  return against && PROVEN_AGAINST.has(against) ? failed(against) : undefined
}

/** What leaves a signature INDETERMINATE, the first that holds. */
function doubtOf({ content, cms, trust, ...facts }: SignatureFacts): Judgement | undefined {
  const isAnnotated = facts.modification === 'ANNOTATIONS' && facts.allowed !== 3
  if (isAnnotated || facts.mayBeCovered)
    return undecided('SIG_CONSTRAINTS_FAILURE', warning('annotated-after-signature'))
  if (facts.isWrittenOver)
    return undecided('SIG_CONSTRAINTS_FAILURE', warning('written-over-after-signature'))
  if (facts.doubts.length > 0) return undecided('SIG_CONSTRAINTS_FAILURE', facts.doubts[0])
  if (content.kind === 'unsupported') return undecided('SIG_CONSTRAINTS_FAILURE', content.reason)
  if (!cms) return undecided('CRYPTO_CONSTRAINTS_FAILURE', warning('algorithm-unknown'))
  if (!trust || !hasCertificate(cms))
    return undecided('NO_SIGNING_CERTIFICATE_FOUND', warning('signer-certificate-missing'))
  if (cms.problems.includes('key-unsupported'))
    return undecided('CRYPTO_CONSTRAINTS_FAILURE', warning('key-unsupported'))
  if (facts.isWeak) return undecided('CRYPTO_CONSTRAINTS_FAILURE_NO_POE', warning('algorithm-weak'))
  if (facts.requiresBinding && cms.certificateBinding === 'absent')
    return undecided('SIG_CONSTRAINTS_FAILURE', warning('certificate-not-bound'))
  if (trust.subIndication) return undecided(trust.subIndication)
  return undefined
}

/** What a proof of time says against a certificate is final. */
const PROVEN_AGAINST: ReadonlySet<SubIndication> = new Set(['REVOKED', 'NOT_YET_VALID'])

const FORMAT_PROBLEMS: ReadonlySet<CmsFacts['problems'][number]> = new Set([
  'message-digest-missing',
  'content-type-missing',
  'content-type-differs',
  'algorithms-differ',
  'attribute-ambiguous',
  'signing-certificate-differs',
  'signed-attributes-missing',
  'malformed',
])

/** Without the certificate there is no key to check the signature with. */
const hasCertificate = ({ problems }: CmsFacts) => !problems.includes('signer-certificate-missing')

/** Whether the signature was compared with a key. */
const isChecked = (cms: CmsFacts) =>
  hasCertificate(cms) && !cms.problems.includes('key-unsupported')

/** Why the signature does not count, the first that holds: only some of it is a false signature. */
function invalidReason({ problems }: CmsFacts): Warning {
  if (problems.includes('signature-algorithm-unsupported'))
    return warning('signature-algorithm-unsupported')
  if (problems.includes('signature-differs')) return warning('signature-differs')
  if (problems.includes('content-missing')) return warning('signed-content-too-large')
  if (problems.includes('digest-not-allowed')) return warning('algorithms-incompatible')
  return warning('signed-attributes-malformed')
}

const failed = (subIndication: SubIndication, reason?: Warning): Judgement => ({
  indication: 'TOTAL_FAILED',
  subIndication,
  ...(reason && { reason }),
})

const undecided = (subIndication: SubIndication, reason?: Warning): Judgement => ({
  indication: 'INDETERMINATE',
  subIndication,
  ...(reason && { reason }),
})
