/** For whoever may not sign: the roles are those of `document.sign` in the policy. */
export const WHO_SIGNS = 'Firman los notarios y los abogados o proyectistas de la notaría.'
