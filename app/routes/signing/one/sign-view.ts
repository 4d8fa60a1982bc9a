import { type RouterContextProvider, redirectDocument } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { safeReturnUrl } from '#app/http/return-url.ts'
import { loadReader } from '#app/routes/reader/load-reader.ts'
import { shownJudgement } from '#app/ui/document/shown-judgement.ts'
import type { ReaderView } from '#app/ui/reader/reader-view.ts'
import { Problem } from '#server/domain/problem.ts'
import { leavesProtocol } from '#server/domain/signing/act/act.ts'
import { characterText } from '#server/domain/signing/character-text.ts'
import type { Turn } from '#server/domain/signing/session/turns.ts'
import { judgementDigest } from '#server/domain/verification/upload-judgement.ts'
import {
  ReadSigning,
  readSigning,
  type SigningView,
} from '#server/features/signatures/read-signing.ts'
import { readPictureConsent } from '#server/features/verification/decide-picture-consent.ts'
import { documentStates } from '#server/words/documents.ts'
import { sentenceOfProblem } from '#server/words/problems.ts'
import { noCharacter } from '#server/words/signing-refusals.ts'
import { stampObstacles, stampPlaceWords } from '#server/words/stamps.ts'

/** Loads the signing page as texts, for the forms with and without scripts. */
export async function loadSigning(
  params: { id: string },
  url: URL,
  context: Readonly<RouterContextProvider>,
  place = placeInOffice(params.id),
): Promise<SignView> {
  const signing = await orErrorPage(readOne(params, context))
  const view = viewOf(signing, place)
  // Presence comes right before the form; a signer with an obstacle sees that first.
  if (signing.needsPresence && !view.needsConsent && isReady(view))
    throw redirectDocument(`${place.address}/presence`)
  // An external signer decides about it after the aviso de privacidad.
  const consent = view.needsConsent ? null : await consentTo(signing, context)
  return { ...view, consent, reader: await readerOf(signing, place, url, context) }
}

const readerOf = (
  { document, version }: SigningView,
  { document: address }: SignAddresses,
  url: URL,
  context: Readonly<RouterContextProvider>,
) =>
  loadReader(
    { id: document.id, version: document.version, pages: version.pages, address },
    url,
    context,
  )

/** A file that arrived signed has parties who cannot be asked. */
const consentTo = async (
  { document, arrivedSigned }: SigningView,
  context: Readonly<RouterContextProvider>,
) =>
  arrivedSigned
    ? null
    : await orErrorPage(
        readPictureConsent(context.get(systemContext), context.get(actorContext), document.id),
      )

async function readOne(params: { id: string }, context: Readonly<RouterContextProvider>) {
  const input = ReadSigning.safeParse({ documentId: params.id })
  if (!input.success) throw new Problem('not-found', 'no id of a document')
  return readSigning(context.get(systemContext), context.get(actorContext), input.data)
}

const isReady = ({
  obstacle,
  judgement,
  statements,
}: Pick<SignView, 'obstacle' | 'judgement' | 'statements'>) =>
  !obstacle && judgement !== 'waiting' && statements.length === 0

/** Loads the page on which a signer acknowledges what was found in the file. */
export async function loadAcknowledging(
  params: { id: string },
  url: URL,
  context: Readonly<RouterContextProvider>,
  place = placeInOffice(params.id),
): Promise<SignView> {
  const { publicOrigin } = context.get(systemContext).settings
  const returnUrl = safeReturnUrl(url.searchParams.get('returnUrl'), publicOrigin, place.address)
  const signing = await orErrorPage(readOne(params, context))
  const reader = await readerOf(signing, place, url, context)
  return { ...viewOf(signing, place, returnUrl), consent: null, reader }
}

/** The addresses of a signing page and its calls. */
export type SignAddresses = {
  /** Address of the page; its calls and the form without scripts are below it. */
  address: string
  /** Address of the document. */
  document: string
  back: { address: string; label: string }
  /** Where a signer without a session or valid link is sent. */
  entrance: string
}

function placeInOffice(id: string): SignAddresses {
  const document = `/dashboard/documents/${id}`
  const address = `${document}/sign`
  const entrance = `/login?returnUrl=${encodeURIComponent(address)}`
  return { address, document, back: { address: document, label: 'Volver al documento' }, entrance }
}

function viewOf(view: SigningView, place: SignAddresses, returnUrl = place.address) {
  const { document, version, office, party, sheet, now } = view
  const { judgement, statements } = view.outstanding
  return {
    ...place,
    id: document.id,
    title: document.title,
    folio: document.folio,
    version: document.version,
    pages: version.pages,
    sha256: version.sha256,
    signer: party.name,
    rfc: party.rfc as string,
    character: party.character ? characterText(party.character) : null,
    sheet: sheet && {
      office: sheet.office,
      publicAddress: sheet.publicAddress,
    },
    leavesProtocol: leavesProtocol(view.held?.session.act ?? null),
    stamp: stampWords(view.stamp),
    isPrepared: version.cause === 'prepared',
    serverSigning: office.serverSigning,
    zone: office.timeZone,
    now: now as number,
    judgement: shownJudgement(judgement),
    statements,
    digest: judgement ? (judgementDigest(judgement) as string) : '',
    returnUrl,
    needsConsent: view.needsConsent,
    obstacle: obstacleIn(view),
    isAsked: !view.isClosed && (party.turn === 'now' || party.turn === 'waiting'),
  }
}

export type SignView = ReturnType<typeof viewOf> & {
  reader: ReaderView
  /** To pictures of the pages on the public page; null where it is not asked. */
  consent: 'given' | 'not-given' | null
}

/** Null for a signature that has a slot of the sheet. */
function stampWords(stamp: SigningView['stamp']): string | null {
  if (!stamp) return null
  return stamp.kind === 'invisible'
    ? stampObstacles[stamp.obstacle]
    : `Se verá ${stampPlaceWords(stamp.place)}, en un lugar en blanco.`
}

const OUT_OF_TURN: Record<Exclude<Turn, 'now'>, string> = {
  waiting: 'Todavía no es su turno: antes deben firmar otras personas. Se le avisará.',
  signed: 'Usted ya firmó este documento.',
  gone: 'En este documento ya no se espera su firma.',
}

const OVERDUE = 'El plazo para firmar venció. Pida a quien hizo la sesión de firma que lo amplíe.'

/** Returns why the signer cannot sign now, if there is a reason. */
function obstacleIn({
  document,
  isClosed,
  hasSigned,
  isOverdue,
  busyWith,
  party,
}: SigningView): string | null {
  if (document.state === 'signed') {
    const final = sentenceOfProblem(new Problem('document-final', `${document.id} is complete`))
    return hasSigned ? `${OUT_OF_TURN.signed} ${final}` : final
  }
  if (isClosed)
    return `El documento está ${documentStates[document.state].toLowerCase()} y ya no se puede firmar.`
  if (party.turn === 'signed') return OUT_OF_TURN.signed
  if (isOverdue) return OVERDUE
  if (party.turn !== 'now') return OUT_OF_TURN[party.turn]
  if (!party.character) return noCharacter(party)
  // In a session the page itself waits for its turn, with the key open.
  if (busyWith && !party.signer)
    return `${busyWith} está firmando este documento. Espere dos minutos y recargue la página.`
  return null
}
