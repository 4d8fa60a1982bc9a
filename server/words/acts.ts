import type { Day } from '#server/domain/day.ts'
import type { ElectronicAnswer, ElectronicStatement } from '#server/domain/signing/act/act.ts'
import type { RoleMismatch } from '#server/domain/signing/act/roles-met.ts'
import { formatDay, parseInstant } from '#server/domain/time.ts'

/** What the sheet and the pages of a session say where its act may not be signed electronically, or nobody knows. */
export const NOT_IN_PROTOCOL = 'No sustituye la firma en el protocolo'

export const electronicAnswers: Record<ElectronicAnswer, string> = {
  yes: 'Sí',
  no: 'No',
  unknown: 'Se desconoce',
}

/** What is known about an act in a state, and since when. */
export function electronicSentence({ answer, entity, source, day }: ElectronicStatement): string {
  const told =
    source === null
      ? ''
      : ` Fuente: ${source}${day === null ? '' : `, consultada el ${dayText(day)}`}.`
  return `${ANSWERS[answer](entity)}${told}`
}

const ANSWERS: Record<ElectronicAnswer, (entity: string) => string> = {
  yes: (entity) => `En ${entity} este acto puede firmarse electrónicamente.`,
  no: (entity) => `En ${entity} este acto no puede firmarse electrónicamente.`,
  unknown: (entity) => `Se desconoce si en ${entity} este acto puede firmarse electrónicamente.`,
}

const dayText = (day: Day) => formatDay(parseInstant(day), 'UTC')

/** `1 a 10`, `2`, `hasta 4` */
export function countText({ least, most }: RoleMismatch['role']): string {
  if (least === most) return String(least)
  return least === 0 ? `hasta ${most}` : `${least} a ${most}`
}
