import {
  DeclaredCharacter,
  type SigningCharacter,
} from '#server/domain/identity/signing-character.ts'

export const TITULAR: SigningCharacter = { kind: 'notarial', capacity: 'titular' }

/** As what a party signs. */
export const declared = (text: string) =>
  ({ kind: 'declared', texts: [DeclaredCharacter.parse(text)] }) as const
