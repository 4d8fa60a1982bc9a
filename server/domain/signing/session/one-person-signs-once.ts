import { searchable } from '#server/domain/identity/text.ts'
import { Problem } from '#server/domain/problem.ts'
import { withCharacter } from './requested-character.ts'
import type { Signer } from './signer.ts'

/** A signer who was added, or one who is asked once for one character more. */
export type AddedSigner = { kind: 'added' | 'joined'; signer: Signer }

/**
 * Adds a person to the signers of a session. One RFC signs once: with another declared character the person stays
 * one signer, whose signature names both.
 *
 * @throws {Problem} `signer-twice`; `signer-differs` if the RFC stands there with other data
 */
export function addedTo(signers: readonly Signer[], next: Signer): AddedSigner {
  const known = withRfcOf(signers, next)
  if (!known) return { kind: 'added', signer: next }
  const isSame =
    known.userId === next.userId &&
    searchable(known.name) === searchable(next.name) &&
    (known.email === null || next.email === null || known.email === next.email)
  if (!isSame) throw new Problem('signer-differs', `${known.id} has the RFC of ${next.name}`)
  const character = withCharacter(known.character, next.character)
  if (!character) throw new Problem('signer-twice', `${known.id} has that RFC and character`)
  return { kind: 'joined', signer: { ...known, email: known.email ?? next.email, character } }
}

/** Adds them one after the other; the places count from 1. @throws {Problem} see `addedTo` */
export function onePersonOnce(asked: readonly Signer[]): Signer[] {
  const signers: Signer[] = []
  for (const next of asked) {
    const { kind, signer } = addedTo(signers, next)
    const index = signers.findIndex(({ id }) => id === signer.id)
    if (kind === 'joined') signers[index] = signer
    else signers.push({ ...signer, place: signers.length + 1 })
  }
  return signers
}

/** @throws {Problem} `signer-twice` if another of the signers has the same RFC */
export function mustBeAlone(signers: readonly Signer[], next: Signer): void {
  const known = withRfcOf(signers, next)
  if (known) throw new Problem('signer-twice', `${known.id} has the RFC of ${next.name}`)
}

const withRfcOf = (signers: readonly Signer[], { rfc }: Signer) =>
  signers.find((signer) => signer.rfc === rfc && signer.state !== 'replaced')
