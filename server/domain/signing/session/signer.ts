import { z } from 'zod'
import { Email } from '#server/domain/identity/email.ts'
import { Rfc } from '#server/domain/identity/rfc.ts'
import { line } from '#server/domain/identity/text.ts'
import { SignerId, SigningSessionId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

export const SignerState = z.enum(['pending', 'signed', 'rejected', 'replaced'])
export type SignerState = z.infer<typeof SignerState>

/** `Compareciente`, `Vendedora`, `Testigo` … */
export const SignerCharacter = line(80)
export const SignerName = line(120)

/** A person whose signature a session asks for. */
export const Signer = z.object({
  id: SignerId,
  signingSessionId: SigningSessionId,
  /** The number of their field on the signature sheet, from 1. A replacement takes over the number. */
  place: z.int().positive(),
  /** Those of a lower step sign first; those of the same step in any order. */
  step: z.int().positive(),
  /** Who it is in the office; null for an external signer. */
  userId: UserId.nullable(),
  name: SignerName,
  /** Null if they have none: then their link is shown on the screen. */
  email: Email.nullable(),
  /** Only the e.firma with this RFC signs for them. */
  rfc: Rfc,
  /** As what they sign; null for a notary or a lawyer of the office: their capacity on that day says it. */
  character: SignerCharacter.nullable(),
  state: SignerState,
  stateSince: Instant,
  stateReason: z.string().nullable(),
  /** Who signs in their place; null unless replaced. */
  replacedBy: SignerId.nullable(),
  remindedAt: Instant.nullable(),
})
export type Signer = z.infer<typeof Signer>
