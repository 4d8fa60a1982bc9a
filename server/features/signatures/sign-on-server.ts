import { z } from 'zod'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { signWith } from '#server/domain/pkcs/private-key.ts'
import { Problem } from '#server/domain/problem.ts'
import { mustBeAcknowledged } from '#server/steps/judgements/find-judgements.ts'
import {
  authorizeParty,
  identityOf,
  mustBeTheirTurn,
} from '#server/steps/signing/authorize-party.ts'
import { checkEfirma, type EfirmaSentences } from '#server/steps/signing/check-efirma.ts'
import { findSeen, findSignable, mustNotBeOver } from '#server/steps/signing/find-signable.ts'
import { retryWhileTaken } from '#server/steps/signing/retry-while-taken.ts'
import { wipingEfirma } from '#server/steps/signing/wipe-efirma.ts'
import type { System } from '#server/system.ts'
import { askAboutUnread } from './ask-about-unread.ts'
import { type CompletedSignature, completeSignature } from './complete-signature.ts'
import { prepareSignature } from './prepare-signature.ts'
import { recordRefusal } from './record-refusal.ts'

export const SignOnServer = z.object({
  documentId: DocumentId,
  version: z.coerce.number().int().positive(),
  /** Contents of the `.cer` and the `.key`; overwritten with zeros before this returns. */
  certificate: z.instanceof(Uint8Array<ArrayBufferLike>),
  privateKey: z.instanceof(Uint8Array<ArrayBufferLike>),
  /** A `.p12` or `.pfx` instead of the two, overwritten in the same way. */
  pkcs12: z.instanceof(Uint8Array<ArrayBufferLike>).optional(),
  password: z.string(),
  /** Consent to use the key in the server's memory for this one signature. */
  consent: z.boolean(),
  /** See `PrepareSignature`. */
  unread: z.literal('ask').optional(),
})
export type SignOnServer = z.infer<typeof SignOnServer>

export type SignOnServerOutcome =
  | { kind: 'signed'; signed: CompletedSignature }
  /** What to correct, per field. */
  | { kind: 'refused'; sentences: EfirmaSentences }

/**
 * Signs with an e.firma in this process's memory, for browsers without scripts: both halves at once, with the
 * same code as the page. Never stores or logs anything of the key.
 *
 * @throws {Problem} `server-signing-disabled` by the office; `too-many-attempts`; see `prepareSignature` and
 *   `completeSignature`
 */
export async function signOnServer(
  system: System,
  actor: Actor,
  input: SignOnServer,
): Promise<SignOnServerOutcome> {
  try {
    return await wipingEfirma(input, () => sign(system, actor, input))
  } catch (error) {
    // The document may have been signed in another window, or its session ended.
    const { db } = system
    if (!(error instanceof Problem)) throw error
    const looking = findSignable(db, input).then((signable) =>
      mustNotBeOver(db, actor, signable, input.version),
    )
    // What cannot be looked up now changes nothing: an unknown commit stays one.
    await looking.catch((found) => {
      if (found instanceof Problem) throw found
    })
    throw error
  }
}

async function sign(
  system: System,
  actor: Actor,
  input: SignOnServer,
): Promise<SignOnServerOutcome> {
  const { db, clock } = system
  const at = clock.now()
  const signable = await findSignable(db, input)
  const { document, office } = signable
  const party = await authorizeParty(db, actor, signable, at)
  if (office.serverSigning === 'disabled')
    throw new Problem('server-signing-disabled', `${office.id} does not allow it`)
  await mustNotBeOver(db, actor, signable, input.version)
  mustBeTheirTurn(party, signable, at)
  const seen = await findSeen(db, signable, input.version)
  // Before the key is opened.
  await mustBeAcknowledged(system, document, identityOf(party))
  if (input.unread) await askAboutUnread(system, party.actor, seen, at)

  const facts = { now: at, rfc: party.rfc, zone: office.timeZone }
  const checked = await checkEfirma(system, input, facts)
  if (checked.kind === 'refused') {
    const refused = { by: party.actor, at, documentId: document.id, method: 'server' } as const
    await recordRefusal(db, { ...refused, code: checked.code })
    return { kind: 'refused', sentences: checked.sentences }
  }
  const { documentId, version } = input
  const own = { documentId, version, certificate: checked.certificate }
  const prepared = await retryWhileTaken(
    () => prepareSignature(system, actor, own, 'server'),
    WHILE_SOMEONE_SIGNS,
  )
  if (prepared.kind === 'refused')
    return { kind: 'refused', sentences: { [checked.field]: prepared.sentence } }
  const signature = await signWith(checked.opened, prepared.toBeSigned)
  const signed = await completeSignature(system, actor, { preparedId: prepared.id, signature })
  return { kind: 'signed', signed }
}

/** Retries for 20 seconds: longer than a signature takes, shorter than a browser waits. */
const WHILE_SOMEONE_SIGNS = { taken: ['someone-signing'], attempts: 41 } as const
