import type { SignerFacts as CmsFacts } from '#server/domain/cms/verify-signer.ts'
import type { CertificationLevel } from '#server/domain/pdf/signature-permissions.ts'
import { isAllowed } from './allowed-changes.ts'
import type { CoverageFacts } from './coverage.ts'
import type { Indication, ModificationLevel, SubIndication } from './report.ts'
import type { ReadContent } from './signature-content.ts'
import type { TrustFacts } from './trust-facts.ts'

/** What is said about a signature; `reason` es-MX when it did not pass. */
export type Judgement = {
  indication: Indication
  subIndication: SubIndication | null
  reason?: string
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
  doubts: readonly string[]
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
    return failed('HASH_FAILURE', 'Lo firmado no es lo que contiene el archivo: fue modificado.')
  if (cms && isChecked(cms)) {
    if (!cms.isValid) return failed('SIG_CRYPTO_FAILURE', invalidReason(cms))
    if (cms.problems.some((problem) => FORMAT_PROBLEMS.has(problem)))
      return failed('FORMAT_FAILURE', 'Los atributos firmados no cumplen el formato.')
  }
  if (facts.modification === 'OTHER' || !isAllowed(facts.modification, facts.allowed))
    return failed('SIG_CONSTRAINTS_FAILURE', 'El documento fue modificado después de esta firma.')
  const against = facts.trust?.subIndication
  return against && PROVEN_AGAINST.has(against) ? failed(against) : undefined
}

/** What leaves a signature INDETERMINATE, the first that holds. */
function doubtOf({ content, cms, trust, ...facts }: SignatureFacts): Judgement | undefined {
  if (facts.modification === 'ANNOTATIONS' && facts.allowed !== 3)
    return undecided('SIG_CONSTRAINTS_FAILURE', 'Se agregaron anotaciones después de esta firma.')
  if (facts.doubts.length > 0) return undecided('SIG_CONSTRAINTS_FAILURE', facts.doubts[0])
  if (content.kind === 'unsupported') return undecided('SIG_CONSTRAINTS_FAILURE', content.reason)
  if (!cms) return undecided('CRYPTO_CONSTRAINTS_FAILURE', 'Se usó un algoritmo desconocido.')
  if (!trust || !hasCertificate(cms))
    return undecided(
      'NO_SIGNING_CERTIFICATE_FOUND',
      'La firma no trae el certificado del firmante: no se puede comprobar.',
    )
  if (cms.problems.includes('key-unsupported'))
    return undecided(
      'CRYPTO_CONSTRAINTS_FAILURE',
      'La clave del certificado es de un tamaño o una curva que no se comprueba.',
    )
  if (facts.isWeak)
    return undecided('CRYPTO_CONSTRAINTS_FAILURE_NO_POE', 'Se firmó con un algoritmo débil.')
  if (facts.requiresBinding && cms.certificateBinding === 'absent')
    return undecided('SIG_CONSTRAINTS_FAILURE', 'La firma no dice con qué certificado se hizo.')
  if (trust.subIndication) return undecided(trust.subIndication)
  return undefined
}

/** What a proof of time says against a certificate is final. */
const PROVEN_AGAINST: ReadonlySet<SubIndication> = new Set(['REVOKED', 'NOT_YET_VALID'])

const FORMAT_PROBLEMS: ReadonlySet<CmsFacts['problems'][number]> = new Set([
  'message-digest-missing',
  'content-type-missing',
  'content-type-differs',
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

function invalidReason({ problems }: CmsFacts): string {
  if (problems.includes('signature-algorithm-unsupported'))
    return 'El algoritmo de la firma no se admite.'
  return 'La firma no corresponde al certificado del firmante.'
}

const failed = (subIndication: SubIndication, reason?: string): Judgement => ({
  indication: 'TOTAL_FAILED',
  subIndication,
  ...(reason && { reason }),
})

const undecided = (subIndication: SubIndication, reason?: string): Judgement => ({
  indication: 'INDETERMINATE',
  subIndication,
  ...(reason && { reason }),
})
