import type { Named, SectionTitle } from '#server/domain/verification/evidence-package/section.ts'
import { authorityText, saysAuthority, signerText } from './unconfirmed-names.ts'

/** The title of a section in the instructions of an evidence package, es-MX. */
export const titleOfSection = ({ about, of }: SectionTitle): string => `${about}: ${nameOf(of)}`

function nameOf(named: Named): string {
  switch (named.kind) {
    case 'signer':
      return signerText(named.signer)
    case 'authority':
      return nameOfAuthority(named.authority)
    case 'provider':
      return authorityText(named.provider) ?? 'prestador desconocido'
    case 'certificate':
      return named.name
  }
}

function nameOfAuthority(authority: Extract<Named, { kind: 'authority' }>['authority']): string {
  if (!authority) return 'autoridad desconocida'
  return authority.isConfirmed ? authority.name : saysAuthority(authority.name)
}
