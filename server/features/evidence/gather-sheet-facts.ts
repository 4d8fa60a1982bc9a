import { findUploadedVersion } from '#server/db/documents/document-versions.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findConstanciaOverSignatures } from '#server/db/trust/constancias.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { instrumentFacts } from '#server/domain/documents/instrument.ts'
import { publicAddressOf } from '#server/domain/documents/public-address.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import type { SigningCharacter } from '#server/domain/identity/signing-character.ts'
import type {
  EvidencedConstancia,
  EvidencedSignature,
  EvidencedTimestamp,
  EvidenceSheetFacts,
} from '#server/domain/signing/evidence-sheet-facts.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { type Instant, parseInstant } from '#server/domain/time.ts'
import type { Constancia } from '#server/domain/timestamp/constancia.ts'
import type {
  SignatureReport,
  TimestampFacts,
  VerificationReport,
} from '#server/domain/verification/report.ts'
import type { SignatureContents, SignedContents } from '#server/ports/pdf-work.ts'
import { judgeFile } from '#server/steps/judgements/judge-file.ts'
import { findSignedCharacters } from '#server/steps/signing/find-signed-characters.ts'
import type { System } from '#server/system.ts'
import { documentKinds } from '#server/words/documents.ts'
import { formatText, signatureResult, UNKNOWN } from '#server/words/evidence-sheet.ts'
import { quoted } from '#server/words/quoted.ts'
import { authorityText, signerTitle } from '#server/words/unconfirmed-names.ts'
import { sentenceOfHeadline } from '#server/words/verification/headlines.ts'
import { revocationText } from '#server/words/verification/revocation.ts'
import { timestampResult } from '#server/words/verification/timestamp-text.ts'
import { gatherAcknowledgements } from './gather-acknowledgements.ts'

/** The facts on the evidence sheet of a complete version. Verifies the file again, against today's authorities. */
export async function gatherSheetFacts(
  system: Pick<System, 'db' | 'clock' | 'settings' | 'blobs' | 'pdf' | 'trust' | 'revocation'>,
  document: Document,
  version: DocumentVersion,
): Promise<EvidenceSheetFacts> {
  const { db, clock, settings } = system
  const original = await findUploadedVersion(db, document.id)
  const office = await findOffice(db, document.officeId)
  const constancia = await findConstanciaOverSignatures(db, document.id, version.version)
  if (!original || !office) throw new Error(`${document.id} lacks a version or its office`)
  const checkedAt = clock.now()
  const { report, contents } = await lookAt(system, version, checkedAt)
  const characterOf = await findSignedCharacters(db, document.id)
  const signed = report.signatures.map((signature, index) => ({
    signature,
    contents: contents.signatures[(signature.number ?? index + 1) - 1] ?? {},
    made: characterOf(signature),
  }))
  const zone = office.timeZone
  return {
    sheetSize: contents.sheetSize,
    office: {
      name: office.name,
      place: `${office.municipality}, ${office.entity}`,
      zone,
    },
    isDemo: settings.isDemo,
    folio: document.folio,
    kind: documentKinds[document.kind],
    title: document.title,
    instrument: document.instrument
      ? instrumentFacts(document.instrument, volumeWordOf(office.entity))
      : [],
    publicAddress: publicAddressOf(settings.publicOrigin, document),
    originalSha256: original.sha256,
    finalSha256: version.sha256,
    pages: report.pages,
    checkedAt,
    verdict: sentenceOfHeadline(report.headline),
    acknowledgements: await gatherAcknowledgements(db, document.id, version.at),
    signatures: signed
      .filter(({ signature }) => signature.kind === 'signature')
      .map((one) => signatureFacts(one, zone)),
    documentTimestamps: signed
      .filter(({ signature }) => signature.kind === 'document-timestamp')
      .map(({ signature }) => documentTimestamp(signature)),
    constancia: constanciaFacts(constancia),
  }
}

async function lookAt(
  system: Pick<System, 'blobs' | 'pdf' | 'trust' | 'revocation'>,
  version: DocumentVersion,
  at: Instant,
): Promise<{ report: VerificationReport; contents: SignedContents }> {
  const { blobs, pdf, trust } = system
  const policy = await trust.policy(at, version.officeId)
  return await blobs.withFile(version, async (file) => {
    const options = { budget: {} }
    const { report } = await judgeFile(system, file, version.fileName, policy, options)
    return { report, contents: await pdf.signatureContents(file, options) }
  })
}

function signatureFacts(
  {
    signature,
    contents,
    made,
  }: {
    signature: SignatureReport
    contents: SignatureContents
    made: SigningCharacter | undefined
  },
  zone: string,
): EvidencedSignature {
  const { signer, field, level, algorithms, claimedTime, provenTime } = signature
  const declaredReason = made ? undefined : shownText(contents.reason ?? '', LONGEST_REASON)
  return {
    field,
    name: signer?.name ?? signerTitle(null),
    title: signerTitle(signer),
    claimedName: signer && !signer.vouched ? quoted(signer.name) : null,
    ...(made && { character: made }),
    ...(declaredReason && { declaredReason: quoted(declaredReason) }),
    rfc: signer?.rfc ?? null,
    certificate: signer && {
      number: signer.certificateNumber,
      issuer: signer.issuer,
      notBefore: parseInstant(signer.notBefore),
      notAfter: parseInstant(signer.notAfter),
    },
    algorithm: algorithms ? `${algorithms.signature}, ${algorithms.digest}` : UNKNOWN,
    format: formatText(level, field),
    result: signatureResult(signature),
    claimedTime: instantOf(claimedTime),
    provenTime: instantOf(provenTime),
    revocation: revocationText(signature.revocation, zone),
    timestamps: signature.timestamps.map(timestampFacts),
    ...(contents.values && { values: contents.values }),
  }
}

const LONGEST_REASON = 300

const timestampFacts = (stamp: TimestampFacts): EvidencedTimestamp => ({
  authority: authorityText(stamp),
  time: instantOf(stamp.time),
  result: timestampResult(stamp),
})

function documentTimestamp(signature: SignatureReport): EvidencedTimestamp {
  const { timestamps, signer, provenTime, claimedTime, indication } = signature
  const [own] = timestamps
  if (own) return timestampFacts(own)
  return {
    authority: signer && authorityText({ authority: signer.name, vouched: signer.vouched }),
    time: instantOf(provenTime ?? claimedTime),
    result: timestampResult({ valid: true, trusted: indication === 'TOTAL_PASSED' }),
  }
}

/** Reports only an issued constancia; answers that were not accepted are ignored. */
function constanciaFacts(constancia: Constancia | undefined): EvidencedConstancia {
  if (!constancia) return { kind: 'none' }
  if (constancia.state !== 'issued') return { kind: constancia.state }
  const { authority, policy, time } = constancia
  return { kind: 'issued', authority, policy, time }
}

const instantOf = (time: string | null) => (time === null ? null : parseInstant(time))
