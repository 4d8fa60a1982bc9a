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

/** A new link with its code, of which only the hash is stored. */
export type NewSigningLink = {
  id: SigningLinkId
  signerId: SignerId
  code: ActivationCode
  expiresAt: Instant
}

/** The parameters of a new link. */
export type LinkRequest = {
  by: UserId
  at: Instant
  expiresAt: Instant
  /**
   * What of the signer's earlier links ends now: everything, also what is open in a browser, only what was not opened yet, or
   * nothing. When the new link is opened, all others end.
   */
  ends: 'everything' | 'unopened' | 'nothing'
}

/** Creates a link for this signer. */
export async function insertSigningLink(
  trx: Transaction,
  { signerId, ...request }: LinkRequest & { signerId: SignerId },
): Promise<NewSigningLink> {
  const [link] = await insertSigningLinks(trx, [signerId], request)
  if (!link) throw new Error('one signer, one link')
  return link
}

/** The same for several signers, in their order. */
export async function insertSigningLinks(
  trx: Transaction,
  signerIds: readonly SignerId[],
  { by, at, expiresAt, ends }: LinkRequest,
): Promise<NewSigningLink[]> {
  if (signerIds.length === 0) return []
  await revoke(trx, signerIds, at, ENDED[ends])
  const links = signerIds.map((signerId) => ({
    id: SigningLinkId.parse(randomUUID()),
    signerId,
    code: activationCodeFrom(randomBytes(ACTIVATION_CODE_BYTES)),
    expiresAt,
  }))
  await trx
    .insertInto('signing_links')
    .values(links.map((link) => toNewRow(link, { by, at })))
    .execute()
  return links
}

const ENDED: Record<LinkRequest['ends'], readonly SigningLink['state'][]> = {
  everything: ['open', 'opened'],
  unopened: ['open'],
  nothing: [],
}

const toNewRow = (
  { id, signerId, code, expiresAt }: NewSigningLink,
  { by, at }: Pick<LinkRequest, 'by' | 'at'>,
): SigningLinkRow => ({
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
  rejection_code: null,
  rejection_code_at: null,
})

/**
 * Revokes all links of these signers, opened or not. The caller must hold the session's lock.
 *
 * @returns their number
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
  if (signerIds.length === 0 || states.length === 0) return 0
  const { numUpdatedRows } = await trx
    .updateTable('signing_links')
    .set({ state: 'revoked', state_since: at })
    .where('signer_id', 'in', signerIds)
    .where('state', 'in', states)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Sets the expiry of these signers' links; revoked links stay revoked. */
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

/** The current link of each signer: the one open in a browser, else the newest that was not revoked, else the newest. */
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
    const isOver = link.state === 'revoked' && earlier !== undefined && earlier.state !== 'revoked'
    if (link.state === 'opened' || !(goesOn || isOver)) counting.set(link.signerId, link)
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
