import { isLinkOpened } from '#server/db/signing-sessions/guest-links.ts'
import { toBase64 } from '#server/domain/bytes.ts'
import type { EfirmaProblemCode } from '#server/domain/efirma/diagnosis.ts'
import { rejectionStatement } from '#server/domain/efirma/rejection-statement.ts'
import { Problem } from '#server/domain/problem.ts'
import { acceptCertificate } from '#server/domain/signing/accept-certificate.ts'
import { isSignedBy } from '#server/domain/signing/is-signed-by.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { after, before, type Instant, minutes } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { InvitedGuest } from '#server/steps/signing/find-guest.ts'
import { findRevocation } from '#server/steps/signing/find-revocation.ts'
import type { System } from '#server/system.ts'
import { sentenceOfEfirma } from '#server/words/efirma.ts'
import { certificateRevoked } from '#server/words/signing-refusals.ts'
import { commitRejection, type RejectedSession } from './commit-rejection.ts'
import { findRejectionFacts } from './find-rejection-facts.ts'
import { recordUnproven } from './record-unproven.ts'

export type SignedStatement = {
  reason: Reason
  /** The date in the statement, by the server's clock. */
  at: Instant
  /** The signer's certificate, DER or PEM. */
  certificate: Uint8Array
  /** RSASSA-PKCS1-v1_5 with SHA-256 over `rejectionStatement`. */
  signature: Uint8Array
}

export type RejectedWithEfirma =
  | RejectedSession
  /** The certificate proves nothing: what to correct. */
  | { kind: 'refused'; code: EfirmaProblemCode | 'certificate-revoked'; sentence: string }

/** A statement may be this old, or this far ahead: a page may be open for a while, and the clock of a computer that slept. */
const TOLERANCE = minutes(15)

/**
 * Rejects the session if this external signer signed the statement of rejection. The log has the statement, the signature and the
 * certificate, so that anyone who has it can check the proof.
 *
 * @throws {Problem} `signing-link-over`, `session-state`; `preparation-expired` for a statement with another date;
 *   `signature-refused` if the certificate did not sign it
 */
export async function rejectWithStatement(
  system: Pick<System, 'clock' | 'db' | 'pdf' | 'revocation' | 'settings' | 'trust'>,
  found: InvitedGuest,
  input: SignedStatement,
): Promise<RejectedWithEfirma> {
  const { db, clock } = system
  const at = clock.now()
  const { guest } = found
  if (input.at < before(at, TOLERANCE) || input.at > after(at, TOLERANCE))
    throw new Problem('preparation-expired', `a statement of ${input.at}`)
  const statement = rejectionStatement(await findRejectionFacts(db, found), input)
  const accepted = await accept(system, found, { ...input, statement })
  if (accepted.kind === 'refused') {
    await recordUnproven(db, guest, { proof: 'efirma', code: accepted.code, at })
    return accepted
  }
  if (accepted.kind === 'unsigned') {
    await recordUnproven(db, guest, { proof: 'efirma', code: 'signature-refused', at })
    throw new Problem('signature-refused', `${guest.signerId} did not sign the statement`)
  }
  const { certificate } = accepted
  const { signingSessionId } = guest
  const { reason } = input
  const rejection = {
    ...{ signingSessionId, reason, actor: guest, at, proof: 'efirma' as const },
    evidence: {
      statement: new TextDecoder().decode(statement),
      signature: toBase64(input.signature),
      certificate: toBase64(certificate.der),
    },
  }
  return await commitRejection(system, rejection, async (trx) => {
    if (!(await isLinkOpened(trx, guest.linkId)))
      throw new Problem('signing-link-over', `${guest.linkId} was taken back meanwhile`)
  })
}

type Signed = Pick<SignedStatement, 'certificate' | 'signature'> & { statement: Uint8Array }

/**
 * Whether it is an e.firma of this signer, from a trusted authority, valid now, that signed the statement. The authority is asked
 * about revocation last: anyone may have the certificate, which is public.
 */
async function accept(
  system: Pick<System, 'clock' | 'pdf' | 'revocation' | 'trust'>,
  { signer, office }: InvitedGuest,
  { certificate: der, signature, statement }: Signed,
): Promise<
  | { kind: 'accepted'; certificate: Certificate }
  | { kind: 'unsigned' }
  | Extract<RejectedWithEfirma, { kind: 'refused' }>
> {
  const now = system.clock.now()
  const { timeZone } = office
  const policy = await system.trust.policy(now, office.id)
  const accepted = acceptCertificate(der, { now, rfc: signer.rfc, trust: policy })
  if (accepted.kind === 'refused') {
    const { kind, code } = accepted
    return { kind, code, sentence: sentenceOfEfirma(accepted, timeZone) }
  }
  if (!isSignedBy(accepted.certificate, statement, signature)) return { kind: 'unsigned' }
  const revokedAt = await findRevocation(system, accepted.path, policy)
  if (revokedAt === null) return accepted
  const sentence = certificateRevoked(revokedAt, timeZone)
  return { kind: 'refused', code: 'certificate-revoked', sentence }
}
