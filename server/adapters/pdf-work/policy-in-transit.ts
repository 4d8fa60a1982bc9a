import { sha256 } from '#server/domain/crypto/sha256.ts'
import type {
  RevocationAnswer,
  RevocationValues,
} from '#server/domain/revocation/revocation-values.ts'
import type { ConstanciaIssuer } from '#server/domain/timestamp/constancia-issuer.ts'
import type { TrustAnchor, TrustedResponder } from '#server/domain/trust/trust-anchor.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { ownBytes } from './own-bytes.ts'

type AnchorInTransit = Omit<TrustAnchor, 'certificate'> & { der: Uint8Array }
type ResponderInTransit = Omit<TrustedResponder, 'certificate'> & { der: Uint8Array }

/** A policy as it crosses threads: certificates that were read hold functions, their DER does not. */
export type PolicyInTransit = Omit<
  VerificationPolicy,
  'anchors' | 'candidates' | 'timestampAnchors' | 'constancias' | 'responders'
> & {
  anchors: AnchorInTransit[]
  candidates: Uint8Array[]
  timestampAnchors?: AnchorInTransit[]
  constancias?: { anchors: AnchorInTransit[]; issuers: readonly ConstanciaIssuer[] }
  responders?: ResponderInTransit[]
}

export function packPolicy(policy: VerificationPolicy): PolicyInTransit {
  const { anchors, candidates, timestampAnchors, constancias, responders, evidence, ...plain } =
    policy
  return {
    ...plain,
    anchors: anchors.map(packAnchor),
    candidates: candidates.map(({ der }) => ownBytes(der)),
    ...(timestampAnchors && { timestampAnchors: timestampAnchors.map(packAnchor) }),
    ...(constancias && {
      constancias: { ...constancias, anchors: constancias.anchors.map(packAnchor) },
    }),
    ...(responders && { responders: responders.map(packAnchor) }),
    ...(evidence && { evidence: packEvidence(evidence) }),
  }
}

export function unpackPolicy(policy: PolicyInTransit): VerificationPolicy {
  const { anchors, candidates, timestampAnchors, constancias, responders, ...plain } = policy
  return {
    ...plain,
    anchors: anchors.map(unpackAnchor),
    candidates: candidates.map(readAuthority),
    ...(timestampAnchors && { timestampAnchors: timestampAnchors.map(unpackAnchor) }),
    ...(constancias && {
      constancias: { ...constancias, anchors: constancias.anchors.map(unpackAnchor) },
    }),
    ...(responders && { responders: responders.map(unpackAnchor) }),
  }
}

/** The same authorities cross with every task: each is read once a thread. */
const authorities = new Map<string, Certificate>()
const MOST_AUTHORITIES = 1000

function readAuthority(der: Uint8Array): Certificate {
  const digest = sha256(der)
  const known = authorities.get(digest) ?? readCertificate(der)
  authorities.set(digest, known)
  if (authorities.size > MOST_AUTHORITIES) authorities.delete(authorities.keys().next().value!)
  return known
}

const packAnchor = <T extends { certificate: Certificate }>({ certificate, ...trust }: T) => ({
  ...trust,
  der: ownBytes(certificate.der),
})

const unpackAnchor = <T extends { der: Uint8Array }>({ der, ...trust }: T) => ({
  ...trust,
  certificate: readAuthority(der),
})

const packEvidence = ({ ocsp, crls }: RevocationValues): RevocationValues => ({
  ocsp: ocsp.map(packAnswer),
  crls: crls.map(packAnswer),
})

const packAnswer = (answer: RevocationAnswer): RevocationAnswer => ({
  ...answer,
  der: ownBytes(answer.der),
})
