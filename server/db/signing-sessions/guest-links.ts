import type { SigningLinkRow } from '#server/db/tables/signing.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { ActivationCode } from '#server/domain/identity/activation-code.ts'
import type { Guest, Origin } from '#server/domain/identity/actor.ts'
import { OfficeId, Sha256, type SigningLinkId } from '#server/domain/ids.ts'
import { Signer } from '#server/domain/signing/session/signer.ts'
import { hashOfSigningCode, type SigningLink } from '#server/domain/signing/session/signing-link.ts'
import { SigningSessionState } from '#server/domain/signing/session/signing-session.ts'
import type { Instant } from '#server/domain/time.ts'
import { toSigningLink } from './signing-links.ts'

/** A link with everything that decides whether it is valid. */
export type GuestLink = {
  link: SigningLink
  /** SHA-256 of the token of the browser that opened it; null before. */
  tokenHash: Sha256 | null
  signer: Pick<Signer, 'id' | 'signingSessionId' | 'name' | 'rfc' | 'state'>
  sessionState: SigningSessionState
  officeId: OfficeId
}

/** Finds a link in any state; undefined for an unknown code. */
export function findLinkByCode(db: Reader, code: ActivationCode): Promise<GuestLink | undefined> {
  return findLink(db, 'signing_links.code_hash', hashOfSigningCode(code))
}

/** The link opened in the browser with this token. */
export function findLinkByToken(db: Reader, tokenHash: Sha256): Promise<GuestLink | undefined> {
  return findLink(db, 'signing_links.token_hash', tokenHash)
}

/**
 * Binds the link to one browser and ends what the signer opened by earlier links. False if another request was
 * first or the link expired. The caller must hold the session's lock, because revoking links takes the same
 * rows in another order.
 */
export async function openSigningLink(
  trx: Transaction,
  { id, signerId }: Pick<SigningLink, 'id' | 'signerId'>,
  tokenHash: Sha256,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('signing_links')
    .set({ state: 'opened', state_since: at, token_hash: tokenHash, opened_at: at })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await trx
    .updateTable('signing_links')
    .set({ state: 'revoked', state_since: at })
    .where('signer_id', '=', signerId)
    .where('id', '!=', id)
    .where('state', '!=', 'revoked')
    .execute()
  return true
}

/** Records consent to the text. False if it was recorded before or the link was revoked. */
export async function insertConsent(
  trx: Transaction,
  id: SigningLinkId,
  text: Sha256,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('signing_links')
    .set({ consented_at: at, consent_text: text })
    .where('id', '=', id)
    .where('state', '=', 'opened')
    .where('consented_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Whether the link is still open in a browser: the office may have taken it back since the request began. */
export async function isLinkOpened(db: Reader, id: SigningLinkId): Promise<boolean> {
  const row = await db
    .selectFrom('signing_links')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.state === 'opened'
}

/** The guest actor of the link. */
export const guestOf = ({ link, signer, officeId }: GuestLink, origin: Origin): Guest => ({
  kind: 'guest',
  linkId: link.id,
  signerId: signer.id,
  signingSessionId: signer.signingSessionId,
  officeId,
  name: signer.name,
  rfc: signer.rfc,
  consentedAt: link.consentedAt,
  ip: origin.ip,
  device: origin.device,
  requestId: origin.requestId,
  browser: origin.browser,
})

async function findLink(
  db: Reader,
  column: 'signing_links.code_hash' | 'signing_links.token_hash',
  hash: Sha256,
): Promise<GuestLink | undefined> {
  const row = await db
    .selectFrom('signing_links')
    .innerJoin('signers', 'signers.id', 'signing_links.signer_id')
    .innerJoin('signing_sessions', 'signing_sessions.id', 'signers.signing_session_id')
    .selectAll('signing_links')
    .select([
      'signers.signing_session_id',
      'signers.name',
      'signers.rfc',
      'signers.state as signer_state',
      'signing_sessions.state as session_state',
      'signing_sessions.office_id',
    ])
    .where(column, '=', hash)
    .executeTakeFirst()
  return row && toGuestLink(row)
}

type GuestLinkRow = SigningLinkRow & {
  signing_session_id: string
  name: string
  rfc: string
  signer_state: string
  session_state: string
  office_id: string
}

function toGuestLink(row: GuestLinkRow): GuestLink {
  const signer = { id: row.signer_id, signingSessionId: row.signing_session_id }
  return {
    link: toSigningLink(row),
    tokenHash: row.token_hash === null ? null : Sha256.parse(row.token_hash),
    signer: GuestSigner.parse({
      ...signer,
      name: row.name,
      rfc: row.rfc,
      state: row.signer_state,
    }),
    sessionState: SigningSessionState.parse(row.session_state),
    officeId: OfficeId.parse(row.office_id),
  }
}

const GuestSigner = Signer.pick({
  id: true,
  signingSessionId: true,
  name: true,
  rfc: true,
  state: true,
})
