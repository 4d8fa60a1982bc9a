import { searchable } from '#server/domain/identity/text.ts'
import type { RequestedCharacter } from '#server/domain/signing/session/requested-character.ts'
import type { ActRole, SessionAct } from './act.ts'

/** A role with more or fewer signers than the act has. */
export type RoleMismatch = { role: ActRole; count: number }

/** What the signers of a session lack, or have too much of, for its act. Other characters are free. */
export function rolesNotMet(
  { roles }: Pick<SessionAct, 'roles'>,
  signers: readonly { character: RequestedCharacter }[],
): RoleMismatch[] {
  const asked = signers.flatMap(({ character }) =>
    character.kind === 'declared' ? character.texts.map(stemOf) : [],
  )
  return roles.flatMap((role) => {
    const stem = stemOf(role.character)
    const count = asked.filter((one) => one === stem).length
    return count < role.least || count > role.most ? [{ role, count }] : []
  })
}

/** Whether two characters are the same but for gender, number, accents and case: `Vendedora`, `vendedores`. */
export const isSameRole = (one: string, other: string): boolean => stemOf(one) === stemOf(other)

const stemOf = (character: string): string =>
  searchable(character)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !ARTICLES.has(word))
    .map((word) => word.replace(/s$/, '').replace(/[aoe]$/, ''))
    .join(' ')

const ARTICLES: ReadonlySet<string> = new Set([
  'el',
  'la',
  'los',
  'las',
  'del',
  'de',
  'parte',
  'persona',
])
