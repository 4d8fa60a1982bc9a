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

/** What a toast or an alert tells after something was done. */
export const notices = {
  sessionExpired: errors.sessionExpired,
  signedOut: 'Su sesión se cerró.',
  sessionEnded: 'La sesión se cerró.',
  themeSaved: 'El tema se guardó en este navegador.',
  documentUploaded: 'El documento se guardó.',
  documentSigned: 'El documento quedó firmado.',
} as const

export type NoticeKey = keyof typeof notices

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

export const roles = {
  ADMIN: 'Administrador',
  NOTARY: 'Notario',
  LAWYER: 'Abogado o proyectista',
  CLERK: 'Auxiliar',
  AUDITOR: 'Auditor',
} as const
