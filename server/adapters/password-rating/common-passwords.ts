import { dictionary } from '@zxcvbn-ts/language-common'
import { searchable } from '#server/domain/identity/text.ts'
import { SPANISH_PASSWORDS } from './spanish-passwords.ts'

/** The most used passwords, English and Spanish, without accents, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set([
  ...dictionary['passwords-common'].map((one) => searchable(String(one))),
  ...SPANISH_PASSWORDS,
])
