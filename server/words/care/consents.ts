import type { ConsentKind } from '#server/domain/care/consent.ts'

/* Words for consents and for requests of people about their data, es-MX. */

export const consentKinds: Record<ConsentKind, string> = {
  'privacy-notice': 'Aceptó el aviso de privacidad',
  'pictures-given': 'Consintió en mostrar las páginas',
  'pictures-withdrawn': 'Retiró su consentimiento para mostrar las páginas',
  'judgement-seen': 'Vio lo que se encontró en el archivo y quiso firmarlo así',
}

/** For the filter. */
export const consentKindsOfMany: Record<ConsentKind, string> = {
  'privacy-notice': 'Avisos aceptados',
  'pictures-given': 'Páginas: dados',
  'pictures-withdrawn': 'Páginas: retirados',
  'judgement-seen': 'Archivos con avisos',
}

/** Which aviso was accepted: `Versión 3`. @param version null for the text of the system */
export const noticeName = (version: number | null): string =>
  version === null ? 'Texto del sistema' : `Versión ${version}`
