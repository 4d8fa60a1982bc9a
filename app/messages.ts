/*
 * What the screens say in more than one place, es-MX. The catalogue and the labels are those of the
 * specification, to the letter; a sentence that one page alone says stands in that page.
 */

/** The error catalogue of the specification. */
export const errors = {
  connection: 'Error de conexión. Por favor, verifique su conexión a internet.',
  forbidden: 'No tiene permisos para realizar esta acción.',
  notFound: 'El recurso solicitado no fue encontrado.',
  server: 'Error del servidor. Por favor, intente más tarde.',
  unexpected: 'Ocurrió un error inesperado. Por favor, intente nuevamente.',
  sessionExpired: 'Su sesión ha expirado. Por favor, inicie sesión nuevamente.',
} as const

type FlashText = { type: 'success' | 'warning' | 'error' | 'info'; message: string }

/** What a toast or an alert tells on the page after something was done. */
export const flashTexts = {
  'session-expired': { type: 'warning', message: errors.sessionExpired },
  'signed-out': { type: 'success', message: 'Su sesión se cerró.' },
  'session-ended': { type: 'success', message: 'La sesión se cerró.' },
  'theme-saved': { type: 'success', message: 'El tema se guardó en este navegador.' },
  'document-uploaded': { type: 'success', message: 'El documento se guardó.' },
  'document-signed': { type: 'success', message: 'El documento quedó firmado.' },
} satisfies Record<string, FlashText>

/** How long a toast stays, in milliseconds. */
export const NOTICE_DURATION_MS = 5000
export const SESSION_EXPIRED_DURATION_MS = 6000

export const labels = {
  product: 'Rúbrica',
  verifyDocument: 'Verificar Documento',
  signIn: 'Iniciar Sesión',
  signOut: 'Cerrar Sesión',
  myProfile: 'Mi Perfil',
  footer: 'Sistema seguro de firma digital para notarías de México',
  demo: 'Demostración: nada de lo que hay aquí tiene validez',
} as const

export const themes = { light: 'Claro', dark: 'Oscuro', system: 'Sistema' } as const
