import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { insertConsentRecord } from '#server/db/care/consents.ts'
import { insertAcknowledgement } from '#server/db/documents/acknowledgements.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { ConsentId, DocumentId, Sha256 } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  judgementDigest,
  requiredStatements,
  Statement,
} from '#server/domain/verification/upload-judgement.ts'
import { findJudgements } from '#server/steps/judgements/find-judgements.ts'
import {
  authorizeParty,
  identityOf,
  mustBeTheirTurn,
} from '#server/steps/signing/authorize-party.ts'
import { findSignable } from '#server/steps/signing/find-signable.ts'
import type { System } from '#server/system.ts'
import { sentenceOfJudgement } from '#server/words/verification/judgements.ts'

export const AcknowledgeJudgement = z.object({
  documentId: DocumentId,
  /** Digest of the judgement on the screen. */
  judgement: Sha256,
  statements: z.array(Statement),
})
export type AcknowledgeJudgement = z.infer<typeof AcknowledgeJudgement>

/**
 * Records that a signer saw what was found in a file that is not green, before they sign it. Repeating the call
 * changes nothing.
 *
 * @throws {Problem} `stale-version` when the judgement on the screen is not the current one of this document;
 *   `acknowledgement-needed` when a statement is missing; see `authorizeParty` and `mustBeTheirTurn`
 */
export async function acknowledgeJudgement(
  system: System,
  actor: Actor,
  input: AcknowledgeJudgement,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { documentId } = input
  const signable = await findSignable(db, input)
  const party = await authorizeParty(db, actor, signable, at)
  mustBeTheirTurn(party, signable, at)
  const current = (await findJudgements(system, signable.office.id, [documentId])).get(documentId)
  if (!current || judgementDigest(current) !== input.judgement)
    throw new Problem('stale-version', `another judgement of ${documentId} was shown`)
  const statements = requiredStatements(current)
  if (!statements.every((one) => input.statements.includes(one)))
    throw new Problem('acknowledgement-needed', `a statement about ${documentId} is missing`)
  if (statements.length === 0) return

  const { verdict, findings } = current
  const sentence = sentenceOfJudgement(current)
  const { userId, signerId } = identityOf(party)
  const shown = { judgement: input.judgement, verdict, sentence, findings }
  await db.transaction(async (trx) => {
    const made = { documentId, userId, signerId, ...shown, statements, at }
    if (!(await insertAcknowledgement(trx, made))) return
    await insertConsentRecord(trx, {
      id: ConsentId.parse(randomUUID()),
      officeId: signable.office.id,
      kind: 'judgement-seen',
      ...{ name: party.name, rfc: party.rfc, userId, signerId, documentId, notice: null, at },
      signingSessionId: party.signer?.signingSessionId ?? null,
    })
    await appendEvent(trx, {
      actor: party.actor,
      at,
      action: 'document.acknowledged',
      subject: { kind: 'document', id: documentId },
      details: {
        version: current.version,
        sha256: current.sha256,
        verdict,
        findings: findings.join(' ') || null,
        statements: statements.join(' '),
        judgement: input.judgement,
        signer: signerId,
      },
    })
  })
}
