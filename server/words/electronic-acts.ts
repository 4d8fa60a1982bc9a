import type { Day } from '#server/domain/day.ts'
import type { ElectronicAnswer, ElectronicStatement } from '#server/domain/signing/act/act.ts'
import { formatDay, parseInstant } from '#server/domain/time.ts'

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
