import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { insertSigningLink } from '#server/db/signing-sessions/signing-links.ts'
import type { SignerId } from '#server/domain/ids.ts'
import { after, days } from '#server/domain/time.ts'
import { resumeGuest } from '#server/features/auth/guests/resume-guest.ts'
import { openSigningLink } from '#server/features/guests/open-signing-link.ts'
import { revokeSigningLink } from '#server/features/signing-sessions/renew-signing-link.ts'
import { origin, stranger } from '#tests/support/builders.ts'
import { aGuestInvitation, aLink, opened } from '#tests/support/office/guests.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

onEachSigningSystem('locks of links', (system, dialect) => {
  test('signing link: opening and revoking are serialized', async () => {
    const scene = await aGuestInvitation(system())
    const [signerId] = scene.signerIds as [SignerId]
    const held = await opened(system(), await aLink(system(), scene))
    const { code } = await aLinkBeside(signerId)
    const counted = countingAgain(system().db)
    const counting = { ...system(), db: counted.db }
    const revoke = () =>
      revokeSigningLink(counting, scene.person, { signingSessionId: scene.sessionId, signerId })
    const open = () => openSigningLink(counting, stranger(), { code, held: undefined })

    const [revoked, openedAfter] = await (dialect === 'postgres'
      ? bothWaiting(system().db, signerId, revoke, open)
      : Promise.allSettled([revoke(), open()]))
    expect(revoked).toMatchObject({ status: 'fulfilled' })
    if (openedAfter.status === 'rejected')
      expect(openedAfter.reason).toMatchObject({ code: 'signing-link-spent' })
    expect(counted.again()).toBe(0)
    expect(await resumeGuest(system(), origin, held)).toBeUndefined()
    await expect(openSigningLink(system(), stranger(), { code, held })).rejects.toMatchObject({
      code: 'signing-link-spent',
    })
  })

  /** The link of a mail: the open session of the guest continues until this link is opened. */
  function aLinkBeside(signerId: SignerId) {
    const at = system().clock.now()
    return system().db.transaction(async (trx) => {
      const { created_by: by } = await trx
        .selectFrom('signing_links')
        .select('created_by')
        .where('signer_id', '=', signerId)
        .executeTakeFirstOrThrow()
      const link = { signerId, by: by as never, at, expiresAt: after(at, days(1)) }
      return await insertSigningLink(trx, { ...link, ends: 'unopened' })
    })
  }
})

/** Counts the retries of transactions. */
function countingAgain(db: Database) {
  let again = 0
  const transaction: Database['transaction'] = (work) => {
    let runs = 0
    return db.transaction((trx) => {
      runs += 1
      if (runs > 1) again += 1
      return work(trx)
    })
  }
  return { db: { ...db, transaction }, again: () => again }
}

/** Another transaction locks the guest session, so that both must wait; the revocation is first. */
async function bothWaiting(
  db: Database,
  signerId: SignerId,
  revoke: () => Promise<unknown>,
  open: () => Promise<unknown>,
) {
  // Of a small table that the system knows it reads all rows, the oldest first.
  await db.transaction((trx) => sql`analyze signing_links`.execute(trx))
  const release = await holdOpened(db, signerId)
  const revoking = revoke()
  await untilWaiting(db, 1)
  const ended = Promise.allSettled([revoking, open()])
  await untilWaiting(db, 2)
  await release()
  return await ended
}

/** Another transaction locks the guest session. @returns a function that ends it */
async function holdOpened(db: Database, signerId: SignerId): Promise<() => Promise<void>> {
  const [held, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = db.transaction(async (trx) => {
    await trx
      .updateTable('signing_links')
      .set({ expires_at: sql`expires_at` })
      .where('signer_id', '=', signerId)
      .where('state', '=', 'opened')
      .execute()
    held.resolve()
    await mayEnd.promise
  })
  await held.promise
  return () => {
    mayEnd.resolve()
    return holding
  }
}

/** Until so many of this database wait for a lock. */
async function untilWaiting(db: Database, wanted: number): Promise<void> {
  const count = sql<{ waiting: number }>`
    select count(distinct pid)::int as waiting from pg_locks where not granted and pid in
      (select pid from pg_stat_activity where datname = current_database())`
  for (;;) {
    const { rows } = await db.transaction((trx) => count.execute(trx))
    if ((rows[0]?.waiting ?? 0) >= wanted) return
  }
}
