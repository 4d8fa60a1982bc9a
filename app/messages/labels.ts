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
  switchOffice: 'Cambiar de notaría',
  footer: 'Sistema seguro de firma digital para notarías de México',
  demo: 'Demostración: nada de lo que hay aquí tiene validez',
} as const

/** Shown to users who may not sign; must match the roles of `document.sign`. */
export const WHO_SIGNS = 'Firman los notarios y los abogados o proyectistas de la notaría.'

export const themes = { light: 'Claro', dark: 'Oscuro', system: 'Sistema' } as const

/** A declared character or a name that claims what only the office's record of a person gives. */
export const NOTARIAL_CLAIM =
  'El carácter de notario o de fedatario público no se escribe: lo da la calidad vigente de la persona en la notaría. Escriba otro carácter, como Compradora o Testigo.'
export const NOTARIAL_NAME =
  'Escriba solo el nombre de la persona, sin el cargo de notario o fedatario público.'
export const LATIN_LETTERS =
  'Escriba el carácter con letras del alfabeto latino, sin signos invisibles.'
