import type {
  Acknowledgement,
  Statement,
  UploadFinding,
  UploadJudgement,
} from '#server/domain/verification/upload-judgement.ts'

/** Findings in an uploaded file, es-MX: the name, and what another reader may show. */
export const FINDINGS: Record<UploadFinding, { name: string; effect: string }> = {
  xfa: {
    name: 'Formulario XFA',
    effect: 'otro programa puede mostrar un formulario distinto de estas páginas',
  },
  javascript: {
    name: 'JavaScript',
    effect: 'un programa dentro del archivo puede cambiar lo que se ve en otro lector',
  },
  'automatic-action': {
    name: 'Acción al abrir o al usar el documento',
    effect: 'otro lector puede hacer algo por su cuenta, como abrir una página de internet',
  },
  attachments: {
    name: 'Archivos adjuntos',
    effect: 'hay otros archivos dentro de este PDF que no se ven en sus páginas',
  },
  layers: {
    name: 'Capas',
    effect: 'otro lector puede mostrar u ocultar partes de las páginas',
  },
  'not-drawable': {
    name: 'Páginas sin imagen',
    effect: 'aquí no se pueden mostrar; léalas en otro programa',
  },
}

/** The verdict about the signatures that a file brought, es-MX. */
export const ARRIVED: Record<
  UploadJudgement['verdict'],
  { tone: 'good' | 'wait' | 'bad' | 'note'; title: string }
> = {
  VALID: { tone: 'good', title: 'Las firmas con que llegó son válidas' },
  INDETERMINATE: { tone: 'wait', title: 'Sin resultado definitivo sobre las firmas con que llegó' },
  INVALID: { tone: 'bad', title: 'Las firmas con que llegó no son válidas' },
  NO_SIGNATURE: { tone: 'note', title: 'Llegó sin firmas' },
  NOT_A_PDF: { tone: 'bad', title: 'El archivo no se puede leer' },
}

/** Labels of the confirmation boxes, es-MX. */
export const STATEMENTS: Record<Statement, string> = {
  'judgement-seen': 'Vi lo que se encontró en este archivo y quiero firmarlo así',
  'read-elsewhere': 'Lo leí en otro programa',
}

/** What a signer stated before signing, and what was shown to them, es-MX. */
export function acknowledgementText({
  statements,
  verdict,
  sentence,
  findings,
}: Pick<Acknowledgement, 'statements' | 'verdict' | 'sentence' | 'findings'>): string {
  const stated = statements.map((statement) => `“${STATEMENTS[statement]}”`).join(' y ')
  const shown = [`${ARRIVED[verdict].title}.`, ...(sentence ? [sentence] : [])].join(' ')
  const found = findings.map((finding) => FINDINGS[finding].name).join(', ')
  return `${stated}. Se mostró: ${shown}${found ? ` Se encontró: ${found}.` : ''}`
}

export const STATEMENT_MISSING = 'Marque la casilla si es así; sin ella no se puede firmar.'

export const BEING_JUDGED =
  'Se está verificando el archivo como llegó. Tarda unos segundos; recargue la página para ver el resultado.'
