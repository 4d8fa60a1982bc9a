import type { SignerFacts, TimestampFacts } from '#server/domain/verification/report.ts'
import { quoted } from './quoted.ts'

/* How signers and authorities are named, es-MX. A name that no authority confirms is quoted, and never a title. */

/** The title of a signature whose signer no authority confirms. */
export const UNCONFIRMED_SIGNER = 'Firmante sin confirmar'

/** `dice llamarse “JUAN PÉREZ”` */
export const saysName = (name: string): string => `dice llamarse ${quoted(name)}`

/** `dice ser “AUTORIDAD DE SELLOS”` */
export const saysAuthority = (name: string): string => `dice ser ${quoted(name)}`

/** The title of a signature: only a confirmed name, because another may be written like a verdict. */
export function signerTitle(signer: Pick<SignerFacts, 'name' | 'vouched'> | null): string {
  if (!signer) return 'Firmante desconocido'
  return signer.vouched ? signer.name : UNCONFIRMED_SIGNER
}

/** Within a sentence: `JUAN PÉREZ`, `dice llamarse “JUAN PÉREZ”`, `firmante desconocido`. */
export function signerText(signer: Pick<SignerFacts, 'name' | 'vouched'> | null): string {
  if (!signer) return 'firmante desconocido'
  return signer.vouched ? signer.name : saysName(signer.name)
}

/** The name of an authority; quoted if no anchor confirms it. */
export const authorityText = ({
  authority,
  vouched,
}: Pick<TimestampFacts, 'authority' | 'vouched'>): string | null =>
  authority && !vouched ? saysAuthority(authority) : authority
