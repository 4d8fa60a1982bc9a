import { documentRow } from '#app/http/documents/document-row.ts'
import { actView } from '#app/routes/signing/sessions/act-view.ts'
import { shownJudgement } from '#app/ui/document/shown-judgement.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { characterText, requestedText } from '#server/domain/signing/character-text.ts'
import { characterAt } from '#server/domain/signing/session/requested-character.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { formatInstant } from '#server/domain/time.ts'
import type {
  ReviewedDocument,
  SessionReview,
} from '#server/features/signing-sessions/review-signing-session.ts'
import { documentKinds } from '#server/words/documents.ts'
import { sentenceOfOddity } from '#server/words/oddities.ts'

/** Of the pictures of sheets, in pixels. */
const SHOWN_WIDTH = 1000

/** The session before it is opened, as texts. */
export function reviewView(review: SessionReview, zone: string) {
  const { ceremony, author, documents, oddities, digest, shown } = review
  const { id, title, message, deadline } = ceremony.session
  return {
    ...{ id: id as string, title, message, digest: digest as string, author: fullName(author) },
    deadline: deadline === null ? null : formatInstant(deadline, zone),
    act: actView(ceremony.session.act),
    signers: ceremony.signers
      .toSorted((a, b) => a.step - b.step || a.place - b.place)
      .map((signer) => signerRow(signer, review)),
    documents: documents.map((one) => documentOf(one, zone)),
    oddities: oddities.map(sentenceOfOddity),
    sheet: shown
      ? {
          documentId: shown.document.id as string,
          title: shown.document.title,
          width: SHOWN_WIDTH,
          height: Math.round((SHOWN_WIDTH * shown.size.height) / shown.size.width),
          pictures: Array.from(
            { length: shown.sheets },
            (_, index) => `/dashboard/signing/${id}/sheets/${shown.document.id}/${index + 1}.png`,
          ),
        }
      : null,
  }
}

export type ReviewView = ReturnType<typeof reviewView>

function signerRow(
  { id, step, name, rfc, email, userId, character }: Signer,
  { accounts, at }: SessionReview,
) {
  const account = userId === null ? undefined : accounts.get(userId)
  // As the sheet prints it. Without a capacity in force an oddity says so.
  const today = characterAt(character, account, at)
  return {
    ...{ id: id as string, step, name, rfc: rfc as string },
    character: today ? characterText(today) : requestedText(character),
    // An account has an address of its own.
    email: userId === null ? email : null,
    told: userId !== null ? 'Correo de su cuenta' : 'Se le muestra su enlace',
  }
}

function documentOf({ document, version, judgement, getsSheet }: ReviewedDocument, zone: string) {
  const shown = shownJudgement(judgement)
  return {
    ...documentRow(document, zone),
    kindName: documentKinds[document.kind],
    pages: version.pages,
    hasSheet: getsSheet,
    verdict: shown === 'waiting' ? null : shown.verdict,
  }
}
