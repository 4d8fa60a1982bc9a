import {
  type ActivationCode,
  groupedActivationCode,
} from '#server/domain/identity/activation-code.ts'
import type { Office } from '#server/domain/identity/office.ts'
import {
  contextWords,
  flawOf,
  type PasswordWeakness,
  weaknessOf,
} from '#server/domain/identity/password.ts'
import type { User } from '#server/domain/identity/user.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

type OfficeWords = Pick<Office, 'name' | 'number' | 'entity' | 'municipality' | 'address'>
type PersonWords = Pick<User, 'firstName' | 'lastName' | 'email' | 'rfc'> & {
  curp?: User['curp']
}

/** Words of the office and the person that a password must not be built from. */
export function wordsOf(
  office: OfficeWords | undefined,
  person: PersonWords | undefined,
): string[] {
  const ofOffice = office
    ? [office.name, office.number, office.entity, office.municipality, office.address]
    : []
  const { firstName = '', lastName = '', email = '', rfc = '', curp } = person ?? {}
  return contextWords([...ofOffice, firstName, lastName, email, rfc, curp ?? ''])
}

/** The code of the activation link must not be the password. */
export const wordsOfCode = (code: ActivationCode): string[] =>
  contextWords([code, groupedActivationCode(code)])

/** @throws {Problem} `weak-password`, whose kind is a `PasswordWeakness` */
export async function mustBeStrong(
  { passwords }: Pick<System, 'passwords'>,
  password: string,
  words: readonly string[],
): Promise<void> {
  const flaw = flawOf(password, words)
  if (flaw) throw weak(flaw)
  const weakness = weaknessOf(password, words, await passwords.rate(password, words))
  if (weakness) throw weak(weakness)
}

export function weak(kind: PasswordWeakness): Problem {
  return new Problem('weak-password', `a password is ${kind}`, { kind })
}
