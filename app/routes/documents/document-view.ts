import { shownJudgement } from '#app/ui/document/shown-judgement.ts'
import { sizeText } from '#app/ui/text/size-text.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { instrumentFacts } from '#server/domain/documents/instrument.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { characterText } from '#server/domain/signing/character-text.ts'
import { qrCode } from '#server/domain/signing/qr-code.ts'
import { formatInstant } from '#server/domain/time.ts'
import type { DocumentDetail } from '#server/features/documents/read-document.ts'
import { versionName } from '#server/words/documents.ts'
import { rejectionProofsInBrackets } from '#server/words/signing.ts'
import { stampObstacles, stampPlaceWords } from '#server/words/stamps.ts'
import { archiveWords } from './archive-words.ts'

/** The document as its page shows it, with times in the office's time zone. */
export function documentView(detail: DocumentDetail, office: Office) {
  const { timeZone } = office
  const { document, author, versions, signatures } = detail
  const when = (at: Document['createdAt']) => ({ at, text: formatInstant(at, timeZone) })
  const current = versions[0]
  // What was sent to be signed, or will be: the file of a draft may have been replaced.
  const original = versions.find(({ cause }) => cause === 'uploaded')
  const signaturesBrought = original?.signaturesBrought ?? 0
  return {
    id: document.id,
    folio: document.folio,
    title: document.title,
    kind: document.kind,
    instrument: document.instrument
      ? instrumentFacts(document.instrument, volumeWordOf(office.entity))
      : [],
    state: document.state,
    /** Null while the public must not find it. */
    code: document.publicLookup.state === 'on' ? document.verificationCode : null,
    publicLookup: lookupView(detail, timeZone),
    pictures: picturesView(detail, timeZone),
    author: fullName(author),
    uploaded: when(document.createdAt),
    version: document.version,
    pages: current?.pages ?? 0,
    sha256: current?.sha256 ?? '',
    archive: archiveWords(detail.archive, timeZone),
    session: detail.session && sessionView(detail.session),
    /** Null for a document that was cancelled before its file was judged, or whose file was purged. */
    judgement:
      document.purged || (document.state === 'cancelled' && !detail.judgement)
        ? null
        : shownJudgement(detail.judgement),
    purge: detail.purged && {
      text: `${detail.purged.by} lo eliminó: ${detail.purged.reason}`,
      when: when(detail.purged.at),
    },
    isClosedByFile: detail.isClosedByFile,
    stamp: detail.stamp ? stampSentence(detail.stamp) : null,
    /** Without a sheet, and not held by a session. */
    isPlaceable:
      signaturesBrought > 0 &&
      !detail.isClosedByFile &&
      (document.state === 'draft' || document.state === 'signed'),
    /** A complete version, also while a session adds signatures to it. */
    hasEvidence: detail.completed !== undefined,
    signaturesBrought,
    original: original?.version ?? 1,
    versions: versions.map((version) => ({
      version: version.version,
      name: versionName(
        version.version,
        version.cause,
        version.cause === 'uploaded' && version !== original,
      ),
      sha256: version.sha256,
      size: sizeText(version.bytes),
      made: when(version.at),
    })),
    signatures: signatures.map((signature) => ({
      id: signature.id,
      place: placeOf(signature.field, detail),
      signer: signature.certificate.name,
      character: signature.character && characterText(signature.character),
      rfc: signature.certificate.rfc,
      certificate: { id: signature.certificate.id, number: signature.certificate.number },
      // The level at signing; archive timestamps added later raise it for all.
      level: detail.archive?.kind === 'kept' ? 'B-LTA' : signature.level,
      method: signature.method,
      isTest: signature.certificate.provenance === 'demo',
      signed: when(signature.signedAt),
      presence: signature.presence && {
        method: signature.presence.means.method,
        proven: when(signature.presence.at),
      },
    })),
    history: historyOf(detail).map(({ at, text }) => ({ text, at: when(at) })),
  }
}

/** Whether the public may find the document, who decided, and where it is found now. */
function lookupView({ document, lookupBy, publicAddress }: DocumentDetail, zone: string) {
  const { state, since } = document.publicLookup
  const by = lookupBy
    ? `Así lo decidió ${fullName(lookupBy)} el ${formatInstant(since, zone)}.`
    : null
  return {
    state,
    by: by ?? (state === 'off' ? 'Está apagada porque es un testamento.' : null),
    address: publicAddress && { url: publicAddress.url, qr: drawnQr(publicAddress.url) },
  }
}

function drawnQr(text: string) {
  const { size, path } = qrCode(text)
  return { size, path }
}

/** Null unless all who signed can be asked for their consent. */
function picturesView({ document, pictures }: DocumentDetail, zone: string) {
  if (!pictures) return null
  const { state, since } = document.publicPictures
  const { by, missing } = pictures
  const canBeOn = missing.length === 0 && document.publicLookup.state === 'on'
  const decided = by ? `Así lo decidió ${fullName(by)} el ${formatInstant(since, zone)}.` : null
  return { state, missing, canBeOn, isShown: canBeOn && state === 'on', by: decided }
}

const stampSentence = (stamp: NonNullable<DocumentDetail['stamp']>) =>
  stamp.kind === 'invisible'
    ? stampObstacles[stamp.obstacle]
    : `La siguiente firma se verá ${stampPlaceWords(stamp.place)}.`

export type DocumentView = ReturnType<typeof documentView>

const sessionView = ({ session, awaited }: NonNullable<DocumentDetail['session']>) => ({
  id: session.id,
  title: session.title,
  state: session.state,
  awaited: awaited.map(({ name }) => name),
})

/** Returns the position of the signature in the current file, from 1; undefined if unknown. */
function placeOf(field: string, { fieldsInFile }: DocumentDetail): number | undefined {
  return fieldsInFile.indexOf(field) + 1 || undefined
}

/** Returns the history of the document, newest first; the log alone records who viewed it. */
function historyOf(detail: DocumentDetail) {
  const { document, author, signatures, cancelled, purged, endings } = detail
  const made = { at: document.createdAt, text: `${fullName(author)} subió el documento` }
  const signed = signatures.map(({ signedAt, signerName, version }) => ({
    at: signedAt,
    text: `${signerName} firmó; quedó la versión ${version}`,
  }))
  const ended = cancelled
    ? [{ at: cancelled.at, text: `${cancelled.by} lo canceló: ${cancelled.reason}` }]
    : []
  const purge = purged
    ? [{ at: purged.at, text: `${purged.by} eliminó el archivo: ${purged.reason}` }]
    : []
  const sessions = endings.map((ending) => ({ at: ending.at, text: endingText(ending) }))
  return [made, ...signed, ...ended, ...purge, ...sessions].sort((a, b) => a.at - b.at).reverse()
}

function endingText({
  kind,
  session,
  by,
  reason,
  proof,
}: DocumentDetail['endings'][number]): string {
  const why = reason ? `: ${reason}` : ''
  switch (kind) {
    case 'rejected':
      return `${by ?? 'Un firmante'} rechazó la firma en “${session}”${why}${proof ? ` (${rejectionProofsInBrackets[proof]})` : ''}`
    case 'cancelled':
      return `${by ?? 'La notaría'} canceló la sesión “${session}”${why}`
    case 'expired':
      return `Venció la fecha límite de la sesión “${session}”`
  }
}
