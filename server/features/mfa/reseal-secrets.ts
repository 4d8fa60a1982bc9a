import { SEALED_TABLES, type SealedRow, type SealedTable } from '#server/db/sealed-rows.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

/* Rows per transaction: few, so that sign-ins are not held up. */
const AT_ONCE = 50

export type Resealed = {
  /** Number of rows that were sealed again with the newest key. */
  resealed: number
  /** Table and row of each secret that cannot be unsealed; left unchanged. */
  unreadable: string[]
}

/**
 * Seals every secret of every table again with the newest key. Safe to interrupt and repeat, and to run beside
 * a live server: each row names the key that opens it.
 */
export async function resealSecrets(system: Pick<System, 'db' | 'vault'>): Promise<Resealed> {
  const done: Resealed = { resealed: 0, unreadable: [] }
  for (const table of Object.values(SEALED_TABLES)) await resealTable(system, table, done)
  return done
}

async function resealTable(
  { db, vault }: Pick<System, 'db' | 'vault'>,
  table: SealedTable,
  done: Resealed,
) {
  const version = vault.keyVersion
  for (let after = ''; ; ) {
    const rows = await table.list(db, version, after, AT_ONCE)
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    const anew = rows.flatMap((row) => {
      const plain = tryToOpen(vault, row)
      if (!plain) done.unreadable.push(row.place)
      return plain ? [{ row, sealed: vault.seal(plain, row.place) }] : []
    })
    await db.transaction(async (trx) => {
      for (const { row, sealed } of anew)
        if (await table.replace(trx, row, sealed)) done.resealed += 1
    })
  }
}

function tryToOpen(vault: System['vault'], { sealed, place }: SealedRow): Uint8Array | undefined {
  try {
    return vault.open(sealed, place)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
