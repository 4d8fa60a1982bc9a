import type { Checklist, ChecklistItem } from '#server/domain/signing/act/checklist.ts'

/* Words for lists of what to check, es-MX. */

/** No list of the program claims what the law of a state asks for. */
export const SUGGESTED_LIST = 'Lista sugerida; revísela con la ley de su estado'

export const checkPhases: Record<ChecklistItem['phase'], string> = {
  before: 'Antes de firmar',
  after: 'Después de firmar',
}

export const checkNeeds: Record<ChecklistItem['need'], string> = {
  required: 'Siempre',
  optional: 'Si hace falta',
}

/** In a form with little room. */
export const shortCheckPhases: Record<ChecklistItem['phase'], string> = {
  before: 'Antes',
  after: 'Después',
}

export function originOfChecklist({ at, items }: Pick<Checklist, 'at' | 'items'>): string {
  if (items.length === 0) return 'Sin lista'
  return at === null ? SUGGESTED_LIST : 'De la notaría'
}

/** `2 de 5 puntos` */
export const progressOf = (done: number, all: number): string =>
  `${done} de ${all} ${all === 1 ? 'punto' : 'puntos'}`
