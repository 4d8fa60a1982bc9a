import type { ByteSource } from '#server/domain/bytes.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { signatureChecks } from '#server/domain/trust/signature-checks.ts'
import { MOST_CHECKS_OF_FILE } from '#server/domain/verification/circumstances.ts'
import type { Chain } from '#server/domain/verification/evidence-package/chain.ts'
import { constanciaSection } from '#server/domain/verification/evidence-package/constancia-section.ts'
import { listSections } from '#server/domain/verification/evidence-package/list-sections.ts'
import {
  type FileMaterial,
  materialIn,
} from '#server/domain/verification/evidence-package/material.ts'
import { revocationSections } from '#server/domain/verification/evidence-package/revocation-sections.ts'
import type { ProofSection } from '#server/domain/verification/evidence-package/section.ts'
import { signatureSections } from '#server/domain/verification/evidence-package/signature-sections.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import type {
  PlainChain,
  ProvenSignatures,
  RevocationToProve,
  SignaturesToProve,
} from '#server/ports/pdf-work.ts'
import { ownBytes } from './own-bytes.ts'

/**
 * What proves the signatures and the constancia of a file.
 *
 * @throws {PdfError}
 */
export function proveSignatures(
  source: ByteSource,
  subject: SignaturesToProve,
  policy: VerificationPolicy,
): ProvenSignatures {
  const material = materialIn(readDocument(source))
  const proven = [...ofSignatures(material, subject, policy), ...ofConstancia(subject, policy)]
  return {
    sections: proven.map(({ chains, ...section }) => withOwnBytes(section)),
    chains: proven.flatMap(({ chains }) => chains.map(packChain)),
  }
}

/**
 * The author of a file chooses its timestamps and what stands in them, and so the cost of their chains: those of
 * the signers have a budget of their own.
 */
function ofSignatures(
  material: FileMaterial,
  { report, zone }: SignaturesToProve,
  { anchors, candidates, timestampAnchors = [] }: VerificationPolicy,
) {
  const trusts = {
    signing: { anchors, candidates, checks: signatureChecks(MOST_CHECKS_OF_FILE) },
    stamping: {
      anchors: [...anchors, ...timestampAnchors],
      candidates,
      checks: signatureChecks(MOST_CHECKS_OF_FILE),
    },
    zone,
  }
  return report.signatures.flatMap((said, index) => {
    const number = said.number ?? index + 1
    const one = material.signatures[number - 1]
    return one ? signatureSections({ number, material: one, report: said }, trusts) : []
  })
}

function ofConstancia(
  { report, constancia, zone }: SignaturesToProve,
  { constancias, candidates }: VerificationPolicy,
) {
  if (!constancia || !report.constancia) return []
  const trust = { anchors: constancias?.anchors ?? [], candidates }
  const section = constanciaSection(constancia, report.constancia, trust, zone)
  return section ? [section] : []
}

/**
 * What the authorities said about the certificates in the chains: in the file, in kept answers and in lists.
 *
 * @throws {PdfError}
 */
export function proveRevocation(
  source: ByteSource,
  { chains, answers, lists, at, zone }: RevocationToProve,
  { candidates }: VerificationPolicy,
): ProofSection[] {
  const { ocsp, crls } = materialIn(readDocument(source))
  const own = chains.map(unpackChain)
  const answered = revocationSections(own, { responses: [...ocsp, ...answers], now: at, zone })
  const listed = listSections(own, {
    lists: [...lists, ...crls],
    candidates,
    ...{ now: at, zone, firstNumber: answered.length + 1 },
  })
  return [...answered, ...listed].map(withOwnBytes)
}

const withOwnBytes = (section: ProofSection): ProofSection => ({
  ...section,
  files: section.files.map(({ name, bytes }) => ({ name, bytes: ownBytes(bytes) })),
})

function packChain({ path, ...chain }: Chain): PlainChain {
  const [certificate, issuer] = path
  return {
    ...chain,
    path: path.map(({ der }) => ownBytes(der)),
    ends: certificate &&
      issuer && { certificate: sha256(certificate.der), issuer: sha256(issuer.der) },
  }
}

const unpackChain = ({ path, ends, ...chain }: PlainChain): Chain => ({
  ...chain,
  path: path.map((der) => readCertificate(der)),
})
