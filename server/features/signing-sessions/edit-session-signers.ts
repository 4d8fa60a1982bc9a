import { insertSigners, removeSigners, replaceSigner } from '#server/db/signing-sessions/signers.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { SignerId, SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { requestedText } from '#server/domain/signing/character-text.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import { type AddedSigner, addedTo } from '#server/domain/signing/session/one-person-signs-once.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { Instant } from '#server/domain/time.ts'
import { canUndo, type UndoOutcome } from '#server/domain/undo.ts'
import type { System } from '#server/system.ts'
import { editDraft } from './edit-draft.ts'
import { mustNotHaveSigned } from './must-not-have-signed.ts'
import { MOST_SIGNERS, partiesIn, type RequestedSigner, signersFrom } from './session-data.ts'

export type AddSessionSigner = {
  signingSessionId: SigningSessionId
  signer: RequestedSigner
  /** Asks a person who signed one of the documents before to sign it again. */
  again?: boolean
}

/**
 * Adds a signer to a draft session. A person who is in it already stays one signer, with one character more.
 *
 * @throws {Problem} `too-many-signers`, `character-missing`, `signer-signed-before`; see `addedTo` and `editDraft`
 */
export async function addSessionSigner(
  system: System,
  actor: Actor,
  { signingSessionId: id, signer: asked, again = false }: AddSessionSigner,
): Promise<AddedSigner['kind']> {
  let outcome: AddedSigner['kind'] = 'added'
  await editDraft(
    system,
    actor,
    id,
    async (trx, { signers, documents }, by, at) => {
      const [made] = await signersFrom(trx, by, id, [asked], at)
      if (!made) throw new Error('the signer was not created')
      const { kind, signer } = addedTo(signers, made)
      outcome = kind
      if (kind === 'joined') {
        await replaceSigner(trx, signer, signer)
        return { joined: signer.name, character: requestedText(signer.character) }
      }
      if (signers.length >= MOST_SIGNERS)
        throw new Problem('too-many-signers', `${id} has ${signers.length}`)
      if (!again) await mustNotHaveSigned(trx, signer, documents)
      await insertSigners(trx, [{ ...signer, place: signers.length + 1 }])
      return { added: signer.name }
    },
    partiesIn([asked]),
  )
  return outcome
}

export type RemoveSessionSigner = {
  signingSessionId: SigningSessionId
  signerId: SignerId
}

/** Removes a signer from a draft session. Returns what undoes it. @throws {Problem} `not-found`; see `editDraft` */
export async function removeSessionSigner(
  system: System,
  actor: Actor,
  { signingSessionId: id, signerId }: RemoveSessionSigner,
): Promise<RestoreSessionSigner | null> {
  let removed: RestoreSessionSigner | null = null
  await editDraft(system, actor, id, async (trx, ceremony, _, at) => {
    const gone = signerIn(ceremony, signerId)
    const others = ceremony.signers.filter((one) => one.id !== signerId)
    await replaceAll(trx, ceremony, others)
    removed = { signer: gone, doneAt: at }
    return { removed: gone.name }
  })
  return removed
}

export type RestoreSessionSigner = {
  signer: Signer
  /** When they were removed. */
  doneAt: Instant
}

/**
 * Undoes that a signer was removed from a draft session: they have their step and place again. `changed` if the session has
 * their RFC again, or no room.
 *
 * @throws {Problem} see `editDraft`
 */
export async function restoreSessionSigner(
  system: System,
  actor: Actor,
  { signer, doneAt }: RestoreSessionSigner,
): Promise<UndoOutcome> {
  let outcome: UndoOutcome = 'undone'
  await editDraft(system, actor, signer.signingSessionId, async (trx, ceremony, _, at) => {
    const { signers } = ceremony
    if (signers.some(({ id }) => id === signer.id)) return null
    if (!canUndo(doneAt, at)) outcome = 'too-late'
    else if (signers.length >= MOST_SIGNERS || signers.some(({ rfc }) => rfc === signer.rfc))
      outcome = 'changed'
    if (outcome !== 'undone') return null
    // First among equals: the signers behind moved up to their place.
    await replaceAll(trx, ceremony, [signer, ...signers])
    return { restored: signer.name }
  })
  return outcome
}

export type MoveSessionSigner = RemoveSessionSigner & { step: number }

/** Changes the step at which a signer signs. @throws {Problem} see `editDraft` */
export async function moveSessionSigner(
  system: System,
  actor: Actor,
  { signingSessionId: id, signerId, step }: MoveSessionSigner,
): Promise<void> {
  await editDraft(system, actor, id, async (trx, ceremony) => {
    const moved = signerIn(ceremony, signerId)
    const signers = ceremony.signers.map((one) => (one.id === signerId ? { ...one, step } : one))
    await replaceAll(trx, ceremony, signers)
    return { moved: moved.name, step }
  })
}

function signerIn({ signers, session }: Ceremony, signerId: SignerId): Signer {
  const found = signers.find(({ id }) => id === signerId)
  if (!found) throw new Problem('not-found', `no signer ${signerId} in ${session.id}`)
  return found
}

/* Positions follow the signing order, as printed on the sheet. */
async function replaceAll(trx: Transaction, { session }: Ceremony, signers: readonly Signer[]) {
  await removeSigners(trx, session.id)
  const inOrder = signers.toSorted((a, b) => a.step - b.step || a.place - b.place)
  await insertSigners(
    trx,
    inOrder.map((signer, index) => ({ ...signer, place: index + 1 })),
  )
}
