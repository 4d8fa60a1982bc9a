import type { RetentionState } from '#server/domain/care/retention.ts'

/* Words for documents whose term is over, es-MX. */

export const retentionStates: Record<RetentionState, string> = {
  proposed: 'Propuesto',
  postponed: 'Aplazado',
  blocked: 'Bloqueado',
  destroyed: 'Destruido',
}

/** Plural, for the filter. */
export const retentionStatesOfMany: Record<RetentionState, string> = {
  proposed: 'Propuestos',
  postponed: 'Aplazados',
  blocked: 'Bloqueados',
  destroyed: 'Destruidos',
}
