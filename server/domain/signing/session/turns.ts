import type { SignerId } from '#server/domain/ids.ts'
import type { Signer } from './signer.ts'

/** The signers who have signed a document. */
export type SignedBy = ReadonlySet<SignerId>

/** The signers who have not signed the document, whether it is their turn or not. */
export const stillToSign = (signers: readonly Signer[], signed: SignedBy): Signer[] =>
  signers.filter(({ id, state }) => state === 'pending' && !signed.has(id))

/** The signers whose turn it is: of the remaining ones, those of the lowest step. */
export function whoseTurn(signers: readonly Signer[], signed: SignedBy): Signer[] {
  const waiting = stillToSign(signers, signed)
  const step = Math.min(...waiting.map((signer) => signer.step))
  return waiting.filter((signer) => signer.step === step)
}

/** `waiting`: others sign first; `gone`: rejected or replaced. */
export type Turn = 'now' | 'waiting' | 'signed' | 'gone'

export function turnOf(signer: Signer, signers: readonly Signer[], signed: SignedBy): Turn {
  if (signed.has(signer.id)) return 'signed'
  if (signer.state !== 'pending') return 'gone'
  return whoseTurn(signers, signed).some(({ id }) => id === signer.id) ? 'now' : 'waiting'
}

/** How the signers of a session sign: in list order, all at once, or in groups. */
export type SigningOrder = 'ordered' | 'parallel' | 'mixed'

export function orderOf(signers: readonly Pick<Signer, 'step'>[]): SigningOrder {
  const steps = new Set(signers.map(({ step }) => step)).size
  if (steps <= 1) return 'parallel'
  return steps === signers.length ? 'ordered' : 'mixed'
}
