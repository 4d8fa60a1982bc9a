import { z } from 'zod'
import { Email } from '#server/domain/identity/email.ts'
import { nameClaimsNotarialOffice } from '#server/domain/identity/notarial-claim.ts'
import { Rfc } from '#server/domain/identity/rfc.ts'
import { DeclaredCharacter } from '#server/domain/identity/signing-character.ts'
import { OfficeId, PartyId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'
import { SignerName } from './signer.ts'

/** What the office's catalogue keeps of an external signer. */
export const PartyData = z.object({
  name: SignerName.refine((name) => !nameClaimsNotarialOffice(name)),
  rfc: Rfc,
  /** Null if they have none or it is unknown. */
  email: Email.nullable(),
  /** The one in which they were last asked to sign. */
  character: DeclaredCharacter,
})
export type PartyData = z.infer<typeof PartyData>

/** An external signer in the office's catalogue. A session copies the data: later changes do not reach it. */
export const KnownParty = z.object({
  id: PartyId,
  officeId: OfficeId,
  ...PartyData.shape,
  /** When they were last asked to sign or their data changed. */
  at: Instant,
  by: UserId,
})
export type KnownParty = z.infer<typeof KnownParty>

/** The names of the facts that differ, for the log, which must not keep the data itself. */
export const changedFacts = (seen: PartyData, next: PartyData): string[] =>
  (['name', 'rfc', 'email', 'character'] as const).filter((fact) => seen[fact] !== next[fact])
