import { SEALED_TABLES, type SealedRow } from '#server/db/sealed-rows.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

/** Secrets tried of each table. */
const TRIED = 10
/** Above every version that a key has. */
const ANY_VERSION = 2 ** 31 - 1

/**
 * Whether the sealing keys are of another installation: there are sealed secrets, and none of those tried opens. It
 * asks nothing of the log, so a forged log cannot look like wrong keys.
 */
export async function hasOtherKeys({ db, vault }: Pick<System, 'db' | 'vault'>): Promise<boolean> {
  const tables = Object.values(SEALED_TABLES)
  const rows = await Promise.all(tables.map((table) => table.list(db, ANY_VERSION, '', TRIED)))
  const secrets = rows.flat()
  return secrets.length > 0 && !secrets.some((secret) => isOpened(vault, secret))
}

function isOpened(vault: System['vault'], { sealed, place }: SealedRow): boolean {
  try {
    vault.open(sealed, place)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
