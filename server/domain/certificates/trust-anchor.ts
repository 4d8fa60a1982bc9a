import type { Certificate } from '../efirma/certificate.ts'

/** Where the word of an authority comes from, and how much we ask beside it. */
export type TrustAnchor = {
  certificate: Certificate
  /** For people, es-MX: `Autoridad de demostración`, `Indicada con --trust`. */
  label: string
  /** Everything said under it carries "de prueba". */
  forTesting: boolean
  /** `required`: never green without an answer. `when-available`: green with a warning. */
  revocation: 'required' | 'when-available'
  /** Where the authorities under it are asked about certificates (OCSP); absent: nowhere. */
  ocsp?: readonly string[]
}
