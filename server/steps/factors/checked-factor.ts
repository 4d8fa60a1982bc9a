import type { Transaction } from '#server/db/transaction.ts'
import type { TotpHint } from '#server/domain/identity/totp.ts'

/** What the log keeps of a factor that was shown. Never the code. */
export type FactorFacts = Record<string, string | number>

/**
 * What somebody's second factor is worth. Nothing is written before `commit`, which belongs into the caller's
 * transaction, before whatever the factor opens; `tell` writes what happened to the factor itself into the log,
 * behind everything that takes a lock.
 */
export type CheckedFactor =
  | {
      ok: true
      /** Uses it up. False: somebody was faster with the same code, so nothing is opened. */
      commit(trx: Transaction): Promise<boolean>
      tell(trx: Transaction): Promise<void>
      /** Known after `commit`. */
      facts(): FactorFacts
    }
  | RefusedFactor

export type RefusedFactor = {
  ok: false
  /** For the log alone. */
  reason: string
  hint?: TotpHint
  commit(trx: Transaction): Promise<void>
  tell(trx: Transaction): Promise<void>
}

const nothing = async () => {}

export function refusedFactor(reason: string, hint?: TotpHint | null): RefusedFactor {
  return { ok: false, reason, ...(hint && { hint }), commit: nothing, tell: nothing }
}
