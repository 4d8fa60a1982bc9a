import type {
  ArcoKind,
  ArcoOutcome,
  ArcoState,
  ArcoStepKind,
  ArcoWay,
  IdentityProof,
} from '#server/domain/care/arco-request.ts'

/* Words for requests of people about their data, es-MX. */

export const arcoKinds: Record<ArcoKind, string> = {
  access: 'Acceso',
  rectification: 'Rectificación',
  cancellation: 'Cancelación',
  opposition: 'Oposición',
}

/** What each right asks for. */
export const arcoKindsExplained: Record<ArcoKind, string> = {
  access: 'Acceso: saber qué datos suyos tiene la notaría',
  rectification: 'Rectificación: corregir datos inexactos',
  cancellation: 'Cancelación: que se eliminen sus datos',
  opposition: 'Oposición: que no se usen para un fin',
}

export const arcoWays: Record<ArcoWay, string> = {
  'in-person': 'En la notaría',
  letter: 'Por escrito',
  email: 'Por correo electrónico',
  other: 'Por otro medio',
}

export const arcoStates: Record<ArcoState, string> = {
  received: 'Recibida',
  identified: 'Identidad acreditada',
  answered: 'Por hacer efectiva',
  closed: 'Cerrada',
}

export const arcoOutcomes: Record<ArcoOutcome, string> = {
  granted: 'Procede',
  partial: 'Procede en parte',
  denied: 'No procede',
}

export const identityWays: Record<IdentityProof['how'], string> = {
  'official-id': 'Identificación oficial vigente, exhibida',
  efirma: 'Su e.firma',
  representative: 'Representante, con poder o carta y sus identificaciones',
  other: 'De otra forma',
}

export const arcoSteps: Record<ArcoStepKind, string> = {
  recorded: 'registró la solicitud',
  identified: 'anotó cómo se acreditó la identidad',
  extended: 'amplió el plazo',
  answered: 'respondió',
  effected: 'la hizo efectiva',
}

/** Plural, for the filter. */
export const arcoStatesOfMany: Record<ArcoState, string> = {
  received: 'Recibidas',
  identified: 'Con identidad acreditada',
  answered: 'Por hacer efectivas',
  closed: 'Cerradas',
}
