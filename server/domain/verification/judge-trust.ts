import { findPath, type PathResult, pathIndicationOf } from '../certificates/path.ts'
import type { TrustAnchor } from '../certificates/trust-anchor.ts'
import type { Certificate } from '../efirma/certificate.ts'
import { DerError } from '../efirma/der.ts'
import { keyUsageOf } from '../efirma/extensions.ts'
import { formatDay, type Instant } from '../time.ts'
import type { SubIndication } from './report.ts'

/** Whom we trust, and at which instant we are asked. Plain data: it crosses threads. */
export type VerificationPolicy = {
  anchors: readonly TrustAnchor[]
  /** Certificates that may stand between a signer and an anchor. */
  candidates: readonly Certificate[]
  at: Instant
}

export type TrustFacts = {
  trusted: boolean
  forTesting: boolean
  /** Null when nothing stands against the signer's certificate. */
  subIndication: SubIndication | null
  /** es-MX; the first one says why when `subIndication` is not null. */
  warnings: string[]
}

/**
 * Whether a path leads from the signer to an anchor, at the instant of the question and at the time that
 * the signature claims.
 *
 * The claimed time is the signer's word. It can only take trust away: a certificate that has expired since
 * needs a proof of time to stay good.
 *
 * @see ETSI EN 319 102-1 V1.3.1, 5.2.6 and 5.5.4; RFC 5280, 6.1
 */
export function judgeTrust(
  signer: Certificate,
  policy: VerificationPolicy,
  options: { candidates: readonly Certificate[]; claimedTime: Instant | undefined },
): TrustFacts {
  const pathAt = (at: Instant) =>
    findPath(signer, {
      anchors: policy.anchors,
      candidates: [...policy.candidates, ...options.candidates],
      at,
    })
  const now = pathAt(policy.at)
  const claimed = options.claimedTime === undefined ? undefined : pathAt(options.claimedTime)
  if (now.kind === 'found') return judgeFound(now, claimed)
  const isOutOfBounds = pathIndicationOf(now.reason) === 'OUT_OF_BOUNDS'
  if (!isOutOfBounds) return untrusted(now)
  if (now.reason === 'expired' && claimed?.kind === 'found')
    return {
      trusted: true,
      forTesting: claimed.anchor.forTesting,
      subIndication: 'OUT_OF_BOUNDS_NO_POE',
      warnings: [
        `Firma válida; el certificado venció después de firmar (el ${formatDay(now.certificate.notAfter as Instant)}) y ningún sello de tiempo prueba la fecha de la firma.`,
      ],
    }
  return untrusted(now)
}

function judgeFound(
  now: Extract<PathResult, { kind: 'found' }>,
  claimed: PathResult | undefined,
): TrustFacts {
  const { anchor, signatures } = now
  const facts = { trusted: true, forTesting: anchor.forTesting }
  const signer = now.path[0] as Certificate
  if (claimed?.kind === 'none' && pathIndicationOf(claimed.reason) === 'OUT_OF_BOUNDS')
    return {
      ...facts,
      trusted: false,
      subIndication: 'OUT_OF_BOUNDS_NO_POE',
      warnings: ['El certificado no estaba vigente en la fecha que declara la firma.'],
    }
  if (signer.kind === 'csd')
    return {
      ...facts,
      subIndication: 'SIG_CONSTRAINTS_FAILURE',
      warnings: ['Se firmó con un certificado de sello digital (CSD), que no es una e.firma.'],
    }
  if (!isForSigning(signer))
    return {
      ...facts,
      subIndication: 'SIG_CONSTRAINTS_FAILURE',
      warnings: ['El certificado del firmante no se emitió para firmar.'],
    }
  if (signatures.some(({ isWeak }) => isWeak))
    return {
      ...facts,
      subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
      warnings: ['El certificado fue emitido con un algoritmo débil.'],
    }
  if (anchor.revocation === 'required')
    return {
      ...facts,
      subIndication: 'TRY_LATER',
      warnings: ['No se pudo comprobar si el certificado fue revocado.'],
    }
  return {
    ...facts,
    subIndication: null,
    warnings: [
      'No se comprobó si el certificado fue revocado.',
      ...(signer.kind === 'unknown' ? ['El certificado no es una e.firma del SAT.'] : []),
    ],
  }
}

/** A certificate that names no usage may be used for anything. @see RFC 5280, 4.2.1.3 */
function isForSigning(signer: Certificate): boolean {
  try {
    const usage = keyUsageOf(signer)
    return !usage || usage.has('digitalSignature') || usage.has('nonRepudiation')
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

function untrusted(result: Extract<PathResult, { kind: 'none' }>): TrustFacts {
  const indication = pathIndicationOf(result.reason)
  return {
    trusted: false,
    forTesting: false,
    subIndication: indication === 'OUT_OF_BOUNDS' ? 'OUT_OF_BOUNDS_NO_POE' : indication,
    warnings: [sentenceFor(result)],
  }
}

function sentenceFor({ reason, certificate }: Extract<PathResult, { kind: 'none' }>): string {
  if (reason === 'expired')
    return `El certificado venció el ${formatDay(certificate.notAfter as Instant)} y nada prueba que se firmó antes.`
  if (reason === 'not-yet-valid')
    return `El certificado empieza a valer el ${formatDay(certificate.notBefore as Instant)}.`
  if (reason === 'bad-signature')
    return 'El certificado dice venir de una autoridad conocida, pero ella no lo firmó.'
  if (reason === 'no-issuer')
    return 'No se reconoce a la autoridad que emitió el certificado del firmante.'
  return 'La cadena de certificados del firmante no cumple las reglas.'
}
