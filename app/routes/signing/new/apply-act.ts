import type { SessionAct } from '#server/domain/signing/act/act.ts'
import { isSameRole } from '#server/domain/signing/act/roles-met.ts'
import { isUntouched, type SignerRow, withRow } from './signer-rows.ts'

/**
 * The rows for this act: as many of each role as must sign, and a notary. Rows into which something was typed stay; untouched ones
 * of an act chosen before go.
 *
 * @param notaries ids of the notaries of the office; the only one is chosen
 * @param most rows
 */
export function rowsForAct(
  typed: readonly SignerRow[],
  act: Pick<SessionAct, 'roles' | 'notary'>,
  notaries: readonly string[],
  most: number,
): SignerRow[] {
  let rows = typed.filter((row) => !isUntouched(row))
  const isNotary = (row: SignerRow) =>
    row.kind === 'user' && row.character === '' && notaries.includes(row.userId)
  const endOfParties = () => {
    const first = rows.findIndex(isNotary)
    return first < 0 ? rows.length : first
  }
  const add = (row: Parameters<typeof withRow>[1], at: number) => {
    if (rows.length < most) rows = withRow(rows, row, at, typed)
  }
  for (const { character, least } of act.roles) {
    const there = rows.filter((row) => isSameRole(row.character, character)).length
    for (let count = there; count < least; count += 1) {
      const at = endOfParties()
      add({ kind: 'external', character, given: character, isTogether: at > 0 }, at)
    }
  }
  if (act.notary === 'signs' && !rows.some(isNotary)) {
    const [only, ...others] = notaries
    add({ kind: 'user', userId: others.length === 0 ? (only ?? '') : '' }, rows.length)
  }
  return rows
}
