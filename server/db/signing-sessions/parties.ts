import { sql } from 'kysely'
import { isAfterCursor } from '#server/db/after-cursor.ts'
import { inChunks } from '#server/db/in-chunks.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { PartyRow } from '#server/db/tables/signing.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { wordPatterns } from '#server/db/word-patterns.ts'
import type { Rfc } from '#server/domain/identity/rfc.ts'
import { searchable } from '#server/domain/identity/text.ts'
import type { OfficeId, PartyId } from '#server/domain/ids.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'
import { KnownParty } from '#server/domain/signing/session/party.ts'

export async function findKnownParty(db: Reader, id: PartyId): Promise<KnownParty | undefined> {
  const row = await db.selectFrom('parties').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toKnownParty(row)
}

/** The existing parties by id. */
export async function findKnownParties(
  db: Reader,
  ids: Iterable<PartyId>,
): Promise<Map<PartyId, KnownParty>> {
  const rows = await inChunks(ids, (chunk) =>
    db.selectFrom('parties').selectAll().where('id', 'in', chunk).execute(),
  )
  return new Map(rows.map(toKnownParty).map((party) => [party.id, party]))
}

/** Serializes changes of the office's catalogue: a concurrent one adds no second entry for an RFC. */
export const lockParties = (trx: Transaction, officeId: OfficeId) =>
  lockUntilCommit(trx, `parties:${officeId}`)

/** The existing parties by RFC. */
export async function findKnownPartiesByRfc(
  db: Reader,
  officeId: OfficeId,
  rfcs: Iterable<Rfc>,
): Promise<Map<Rfc, KnownParty>> {
  const rows = await inChunks(rfcs, (chunk) =>
    db
      .selectFrom('parties')
      .selectAll()
      .where('office_id', '=', officeId)
      .where('rfc', 'in', chunk)
      .execute(),
  )
  return new Map(rows.map(toKnownParty).map((party) => [party.rfc, party]))
}

export type PartyFilter = {
  officeId: OfficeId
  /** Every word must occur in the name or RFC; ignores accents and case. */
  text?: string | undefined
  behind?: PageCursor<PartyId> | undefined
  limit: number
}

/** Those asked last first. */
export async function listKnownParties(db: Reader, filter: PartyFilter): Promise<KnownParty[]> {
  const { officeId, text, behind, limit } = filter
  let query = db.selectFrom('parties').selectAll().where('office_id', '=', officeId)
  for (const pattern of wordPatterns(text ?? ''))
    query = query.where(sql<boolean>`search_text like ${pattern} escape '\\'`)
  if (behind) query = query.where(isAfterCursor(behind, 'at'))
  const rows = await query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map(toKnownParty)
}

/** Inserts the parties, or replaces the data of those whose RFC the office has. No RFC may occur twice. */
export async function upsertParties(
  trx: Transaction,
  parties: readonly KnownParty[],
): Promise<void> {
  if (parties.length === 0) return
  await trx
    .insertInto('parties')
    .values(parties.map(toRow))
    .onConflict((conflict) =>
      conflict.columns(['office_id', 'rfc']).doUpdateSet(({ ref }) => ({
        name: ref('excluded.name'),
        email: ref('excluded.email'),
        character: ref('excluded.character'),
        search_text: ref('excluded.search_text'),
        at: ref('excluded.at'),
        by_user: ref('excluded.by_user'),
      })),
    )
    .execute()
}

/** Replaces a party under `lockParties`. */
export async function replaceParty(trx: Transaction, party: KnownParty): Promise<void> {
  const { id, ...changing } = toRow(party)
  await trx.updateTable('parties').set(changing).where('id', '=', id).execute()
}

/** False if it is gone already. */
export async function removeParty(trx: Transaction, id: PartyId): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('parties')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

function toKnownParty({ office_id, by_user, search_text: _, ...row }: PartyRow): KnownParty {
  return KnownParty.parse({ ...row, officeId: office_id, by: by_user })
}

const toRow = ({ officeId, by, ...party }: KnownParty): PartyRow => ({
  ...party,
  office_id: officeId,
  search_text: searchable(`${party.name} ${party.rfc}`),
  by_user: by,
})
