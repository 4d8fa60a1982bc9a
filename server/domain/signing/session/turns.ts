import type { SignerId } from '#server/domain/ids.ts'
import type { Signer } from './signer.ts'

/** Whose signatures a document of the session already bears. */
export type SignedBy = ReadonlySet<SignerId>

/** Those who still have to sign the document, whether it is their turn or not. */
export const stillToSign = (signers: readonly Signer[], signed: SignedBy): Signer[] =>
  signers.filter(({ id, state }) => state === 'pending' && !signed.has(id))

/** Those who can sign the document now: of all who still have to, those of the lowest step. */
export function whoseTurn(signers: readonly Signer[], signed: SignedBy): Signer[] {
  const waiting = stillToSign(signers, signed)
  const step = Math.min(...waiting.map((signer) => signer.step))
  return waiting.filter((signer) => signer.step === step)
}

/** `waiting` for others who sign first; `gone` for who rejected or was replaced. */
export type Turn = 'now' | 'waiting' | 'signed' | 'gone'

export function turnOf(signer: Signer, signers: readonly Signer[], signed: SignedBy): Turn {
  if (signed.has(signer.id)) return 'signed'
  if (signer.state !== 'pending') return 'gone'
  return whoseTurn(signers, signed).some(({ id }) => id === signer.id) ? 'now' : 'waiting'
}

/** How those of a session sign: in the order of the list, all at once, or in groups. */
export type SigningOrder = 'ordered' | 'parallel' | 'mixed'

export function orderOf(signers: readonly Pick<Signer, 'step'>[]): SigningOrder {
  const steps = new Set(signers.map(({ step }) => step)).size
  if (steps <= 1) return 'parallel'
  return steps === signers.length ? 'ordered' : 'mixed'
}
