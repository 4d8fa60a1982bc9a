import type { Registration } from '#server/features/verification/find-registration.ts'

const SENTENCES: Record<Registration['relation'], string> = {
  current: 'Este archivo es idéntico al que está registrado en la notaría.',
  earlier:
    'Este archivo es una versión anterior de un documento registrado en la notaría. Consulte la actual.',
  changed:
    'Este archivo empieza como un documento registrado en la notaría, pero no es igual: le sobra o le falta algo. Consulte el registrado.',
}

/** How a file relates to the registered document, and where that one is. */
export const registrationView = ({ document, relation }: Registration) => ({
  tone: relation === 'current' ? ('good' as const) : ('wait' as const),
  sentence: SENTENCES[relation],
  address: `/verify/${document.id}`,
})
