/*
 * What the screens say in more than one place, es-MX, a file for each area. The catalogue of errors and the labels
 * are those of the specification, to the letter; a sentence that one page alone says stands in that page.
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

/** For whoever may not: the roles are those of `document.sign` in the policy. */
export const WHO_SIGNS = 'Firman los notarios y los abogados o proyectistas de la notaría.'

export const themes = { light: 'Claro', dark: 'Oscuro', system: 'Sistema' } as const
