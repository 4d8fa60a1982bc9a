/*
 * es-MX texts used on more than one page, a file per area. The errors and labels are those of the
 * specification, verbatim; a text of a single page is in that page.
 */

export const labels = {
  product: 'Rúbrica',
  verifyDocument: 'Verificar Documento',
  signIn: 'Iniciar Sesión',
  signOut: 'Cerrar Sesión',
  myProfile: 'Mi Perfil',
  footer: 'Sistema seguro de firma digital para notarías de México',
  demo: 'Demostración: nada de lo que hay aquí tiene validez',
} as const

/** Shown to users who may not sign; must match the roles of `document.sign`. */
export const WHO_SIGNS = 'Firman los notarios y los abogados o proyectistas de la notaría.'

export const themes = { light: 'Claro', dark: 'Oscuro', system: 'Sistema' } as const
