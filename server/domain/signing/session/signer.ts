import { z } from 'zod'
import { Email } from '#server/domain/identity/email.ts'
import { Rfc } from '#server/domain/identity/rfc.ts'
import { line, Shown } from '#server/domain/identity/text.ts'
import { SignerId, SigningSessionId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'
import { RequestedCharacter } from './requested-character.ts'

export const SignerState = z.enum(['pending', 'signed', 'rejected', 'replaced'])
export type SignerState = z.infer<typeof SignerState>

/** `mail-code`: a code mailed to the address that the office has. */
export const RejectionProof = z.enum(['efirma', 'mail-code'])
export type RejectionProof = z.infer<typeof RejectionProof>

export const SignerName = line(120)

/** A person whose signature a session asks for. */
export const Signer = z.object({
  id: SignerId,
  signingSessionId: SigningSessionId,
  /** The number of their field on the signature sheet, from 1. A replacement takes over the number. */
  place: z.int().positive(),
  /** Signers of a lower step sign first; within a step in any order. */
  step: z.int().positive(),
  /** The signer's account; null for an external signer. */
  userId: UserId.nullable(),
  name: SignerName,
  /** Null if they have none: then their link is shown on the screen. */
  email: Email.nullable(),
  /** Only an e.firma with this RFC is accepted. */
  rfc: Rfc,
  character: RequestedCharacter,
  state: SignerState,
  stateSince: Instant,
  stateReason: Shown.nullable(),
  /** How an external signer who rejected proved who they are; null for others, and for rejections of earlier releases. */
  stateProof: RejectionProof.nullable(),
  /** The signer who replaced them; null if none. */
  replacedBy: SignerId.nullable(),
  remindedAt: Instant.nullable(),
})
export type Signer = z.infer<typeof Signer>
