import { quoted } from '#server/domain/text/shown-text.ts'

/* How a name is given that no authority confirms: quoted, and never as a title. */

/** The title of a signature whose signer no authority confirms. */
export const UNCONFIRMED_SIGNER = 'Firmante sin confirmar'

/** `dice llamarse «JUAN PÉREZ»` */
export const saysName = (name: string): string => `dice llamarse ${quoted(name)}`

/** `dice ser «AUTORIDAD DE SELLOS»` */
export const saysAuthority = (name: string): string => `dice ser ${quoted(name)}`
