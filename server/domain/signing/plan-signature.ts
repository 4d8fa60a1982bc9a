import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion, VersionCause } from '#server/domain/documents/document-version.ts'
import { instrumentText } from '#server/domain/documents/instrument.ts'
import { publicAddressOf } from '#server/domain/documents/public-address.ts'
import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { SigningCharacter } from '#server/domain/identity/signing-character.ts'
import { characterText } from '#server/domain/signing/character-text.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { SheetFacts, SignaturePlan, StampFacts } from './increment.ts'

/** Room for the signer's chain and a timestamp that may be added later. */
const CONTENTS_BYTES = 16_384

/** Only for readers of other programs: nothing here is read back from it. */
const reasonOf = (character: SigningCharacter) =>
  character.kind === 'declared'
    ? `Firma electrónica. ${characterText(character)}`
    : `Firma electrónica como ${characterText(character)}`

export type PlanningFacts = {
  document: Document
  /** The kind of document: `Copia certificada`. */
  kindName: string
  /** The version to sign. */
  version: DocumentVersion
  /** Whether the uploaded file had signatures. */
  arrivedSigned: boolean
  office: Office
  /** What the sheet says above the signatures. */
  caution?: string | undefined
  /** `https://rubrica.notaria.mx`, without a slash. */
  publicOrigin: string
  isDemo: boolean
}

/**
 * Plans what a signature of this person adds to the file.
 *
 * @param signer.field the one that waits for them on the signature sheet
 */
export function planSignature(
  facts: PlanningFacts,
  signer: { certificate: Certificate; character: SigningCharacter; field?: string },
  at: Instant,
): SignaturePlan {
  const { certificate, character, field } = signer
  const sheet = sheetFor(facts)
  const stamp = stampFor(facts)
  const { rfc, certificateNumber } = satProfileOf(certificate)
  return {
    ...(sheet && { sheet }),
    ...(stamp && { stamp }),
    ...(field && { field }),
    caption: {
      name: certificate.name,
      character,
      rfc: rfc ?? '',
      certificateNumber,
    },
    reason: reasonOf(character),
    at,
    contentsSize: CONTENTS_BYTES,
    zone: facts.office.timeZone,
  }
}

/**
 * The signature sheet that the first signature appends; undefined if the document has signatures already, which
 * a new page would break.
 */
export function sheetFor(facts: Omit<PlanningFacts, 'arrivedSigned'>): SheetFacts | undefined {
  const { document, kindName, version, office, caution, publicOrigin, isDemo } = facts
  if (!GETS_A_SHEET.includes(version.cause) || version.signaturesBrought > 0) return undefined
  return {
    folio: document.folio,
    kind: kindName,
    title: document.title,
    ...(document.instrument && {
      instrument: instrumentText(document.instrument, volumeWordOf(office.entity)),
    }),
    office: `${office.name} · ${office.municipality}, ${office.entity}`,
    publicAddress: publicAddressOf(publicOrigin, document),
    originalSha256: version.sha256,
    ...(caution && { caution }),
    isDemo,
  }
}

/** What a stamp shows; undefined for a document with a sheet. */
export function stampFor({
  document,
  arrivedSigned,
  publicOrigin,
}: Pick<PlanningFacts, 'document' | 'arrivedSigned' | 'publicOrigin'>): StampFacts | undefined {
  if (!arrivedSigned) return undefined
  const { folio, stampChoice } = document
  const publicAddress = publicAddressOf(publicOrigin, document)
  return { folio, publicAddress, ...(stampChoice && { choice: stampChoice }) }
}

/* Other versions have a sheet already, or signatures that a new page would break. */
const GETS_A_SHEET: readonly VersionCause[] = ['uploaded', 'restored']
