/* What to change in the form of a new access token, es-MX. */

export const NAME_MISSING = 'Escriba un nombre con el que reconozca el programa.'
export const NAME_TOO_LONG = 'El nombre puede tener hasta 60 caracteres.'
export const NAME_NOT_ALLOWED = 'El nombre tiene caracteres que no se admiten.'
export const DAYS_MISSING = 'Elija una vigencia.'
