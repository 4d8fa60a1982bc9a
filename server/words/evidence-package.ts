import type { Naming } from '#server/domain/verification/evidence-package/signature-sections.ts'
import type { ConstanciaReport } from '#server/domain/verification/report.ts'
import { authorityText, saysAuthority, signerText } from './unconfirmed-names.ts'

/** How the instructions of an evidence package name signers and authorities, es-MX. */
export const PACKAGE_NAMES: Naming = {
  signer: signerText,
  authority: (authority) => {
    if (!authority) return 'autoridad desconocida'
    return authority.isConfirmed ? authority.name : saysAuthority(authority.name)
  },
}

/** How they name the provider of a constancia, es-MX. */
export const providerText = (constancia: ConstanciaReport) =>
  authorityText(constancia) ?? 'prestador desconocido'
