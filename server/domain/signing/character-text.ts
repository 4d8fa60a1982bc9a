import type {
  DeclaredCharacters,
  SigningCharacter,
} from '#server/domain/identity/signing-character.ts'
import type { Capacity } from '#server/domain/identity/user.ts'
import { foreignText } from '#server/domain/text/shown-text.ts'
import type { RequestedCharacter } from './session/requested-character.ts'

const CAPACITIES: Record<Capacity, string> = {
  titular: 'Notario titular',
  suplente: 'Notario suplente',
  asociado: 'Notario asociado',
  adscrito: 'Notario adscrito',
  interino: 'Notario interino',
}

/** `Notario titular`, `Abogado`, `Carácter declarado: Compradora`. */
export function characterText(character: SigningCharacter): string {
  switch (character.kind) {
    case 'notarial':
      return CAPACITIES[character.capacity]
    case 'lawyer':
      return 'Abogado'
    case 'declared':
      return `Carácter declarado: ${declaredText(character.texts)}`
  }
}

/** `Compradora y Apoderada de la vendedora` */
export const declaredText = (texts: DeclaredCharacters): string =>
  texts.length === 1 ? texts[0] : `${texts.slice(0, -1).join(', ')} y ${texts.at(-1)}`

/** `Carácter declarado: Compradora`, or that the office's record decides. */
export function requestedText(asked: RequestedCharacter): string {
  switch (asked.kind) {
    case 'office':
      return 'En su calidad vigente'
    case 'declared':
      return characterText(asked)
    case 'refused':
      return `Carácter no admitido: “${foreignText(asked.text)}”`
  }
}
