import type { Transaction } from '#server/db/transaction.ts'
import type { TotpHint } from '#server/domain/identity/totp.ts'

/** What the log records about a submitted factor. Never the code. */
type FactorFacts = Record<string, string | number>

/**
 * The result of a second factor. Nothing is written before `commit`. Call it in the transaction of what the
 * factor authorizes, before it; call `record` after everything that takes a lock: it logs what happened to the
 * factor.
 */
export type CheckedFactor =
  | {
      ok: true
      /** Consumes the factor's code or answer. False if another request used it: then nothing is authorized. */
      commit(trx: Transaction): Promise<boolean>
      record(trx: Transaction): Promise<void>
      /** Available after `commit`. */
      facts(): FactorFacts
    }
  | RefusedFactor

export type RefusedFactor = {
  ok: false
  /** For the log alone. */
  reason: string
  hint?: TotpHint
  commit(trx: Transaction): Promise<void>
  record(trx: Transaction): Promise<void>
}

const nothing = async () => {}

export function refusedFactor(reason: string, hint?: TotpHint | null): RefusedFactor {
  return { ok: false, reason, ...(hint && { hint }), commit: nothing, record: nothing }
}
