import { maskedEmail } from '#server/domain/identity/email.ts'
import { formatInstant } from '#server/domain/time.ts'
import type { RejectionView } from '#server/features/rejections/read-rejection.ts'

/** The page on which a guest rejects, as texts. */
export function rejectView({ signer, office, facts, codeExpiresAt, hasCopy, now }: RejectionView) {
  const { timeZone } = office
  return {
    title: facts.session.title,
    office: office.name,
    documents: facts.documents.length,
    hasCopy,
    /** Of the mail; null if the office has none. A person who only has the link does not learn it. */
    address: signer.email && maskedEmail(signer.email),
    /** Until when the code that was sent last can be used; null if none can. */
    codeUntil: codeExpiresAt && formatInstant(codeExpiresAt, timeZone),
    serverSigning: office.serverSigning,
    rfc: signer.rfc as string,
    zone: timeZone,
    now: now as number,
    facts,
  }
}

export type RejectView = ReturnType<typeof rejectView>
