/* What the public is told of a document that is not complete, es-MX. */

export const BEING_SIGNED = 'En firma: todavía no está completo.'
export const NEVER_COMPLETED = 'No se completó.'
