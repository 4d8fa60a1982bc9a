import { randomBytes, randomUUID } from 'node:crypto'
import type { SigningLinkRow } from '#server/db/tables/signing.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import {
  ACTIVATION_CODE_BYTES,
  type ActivationCode,
  activationCodeFrom,
} from '#server/domain/identity/activation-code.ts'
import { type SignerId, SigningLinkId, type UserId } from '#server/domain/ids.ts'
import { hashOfSigningCode, SigningLink } from '#server/domain/signing/session/signing-link.ts'
import type { Instant } from '#server/domain/time.ts'

/** A link that was just made. Its code is told here once: only its hash is stored. */
export type NewSigningLink = {
  id: SigningLinkId
  signerId: SignerId
  code: ActivationCode
  expiresAt: Instant
}

/**
 * A new link for this signer. Of those that nobody has opened it is the only one from now on.
 *
 * @param link `ends`: whether what the signer has open in a browser ends now, or only once the new one is opened
 */
export async function insertSigningLink(
  trx: Transaction,
  link: {
    signerId: SignerId
    by: UserId
    at: Instant
    expiresAt: Instant
    ends: 'now' | 'when-opened'
  },
): Promise<NewSigningLink> {
  const { signerId, by, at, expiresAt, ends } = link
  await revoke(trx, [signerId], at, ends === 'now' ? ['open', 'opened'] : ['open'])
  const id = SigningLinkId.parse(randomUUID())
  const code = activationCodeFrom(randomBytes(ACTIVATION_CODE_BYTES))
  await trx
    .insertInto('signing_links')
    .values({
      id,
      signer_id: signerId,
      code_hash: hashOfSigningCode(code),
      created_at: at,
      created_by: by,
      expires_at: expiresAt,
      state: 'open',
      state_since: at,
      token_hash: null,
      opened_at: null,
      consented_at: null,
      consent_text: null,
    })
    .execute()
  return { id, signerId, code, expiresAt }
}

/**
 * Whatever these signers were given opens nothing from now on, in no browser. Under the lock of their session.
 *
 * @returns how many there were
 */
export async function revokeSigningLinks(
  trx: Transaction,
  signerIds: readonly SignerId[],
  at: Instant,
): Promise<number> {
  return await revoke(trx, signerIds, at, ['open', 'opened'])
}

async function revoke(
  trx: Transaction,
  signerIds: readonly SignerId[],
  at: Instant,
  states: readonly SigningLink['state'][],
): Promise<number> {
  if (signerIds.length === 0) return 0
  const { numUpdatedRows } = await trx
    .updateTable('signing_links')
    .set({ state: 'revoked', state_since: at })
    .where('signer_id', 'in', signerIds)
    .where('state', 'in', states)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** How long the links of these signers open something from now on; what was revoked stays so. */
export async function replaceLinkExpiry(
  trx: Transaction,
  signerIds: readonly SignerId[],
  expiresAt: Instant,
): Promise<void> {
  if (signerIds.length === 0) return
  await trx
    .updateTable('signing_links')
    .set({ expires_at: expiresAt })
    .where('signer_id', 'in', signerIds)
    .where('state', '!=', 'revoked')
    .execute()
}

/**
 * Of each of these signers that has a link the one that counts: that which a browser goes on with, else the newest.
 */
export async function listSigningLinks(
  db: Reader,
  signerIds: readonly SignerId[],
  now: Instant,
): Promise<SigningLink[]> {
  if (signerIds.length === 0) return []
  const rows = await db
    .selectFrom('signing_links')
    .selectAll()
    .where('signer_id', 'in', signerIds)
    .orderBy('created_at')
    .execute()
  const counting = new Map<SignerId, SigningLink>()
  for (const link of rows.map(toSigningLink)) {
    const earlier = counting.get(link.signerId)
    const goesOn = earlier?.state === 'opened' && now < earlier.expiresAt
    if (!goesOn || link.state === 'opened') counting.set(link.signerId, link)
  }
  return [...counting.values()]
}

export function toSigningLink(row: SigningLinkRow): SigningLink {
  return SigningLink.parse({
    ...row,
    signerId: row.signer_id,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    stateSince: row.state_since,
    openedAt: row.opened_at,
    consentedAt: row.consented_at,
    consentText: row.consent_text,
  })
}
