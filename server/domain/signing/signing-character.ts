import type { Capacity, User } from '#server/domain/identity/user.ts'
import type { Instant } from '#server/domain/time.ts'

type Signer = Pick<User, 'roles' | 'capacity' | 'capacityFrom' | 'capacityTo'>

const CAPACITIES: Record<Capacity, string> = {
  titular: 'Notario titular',
  suplente: 'Notario suplente',
  asociado: 'Notario asociado',
  adscrito: 'Notario adscrito',
  interino: 'Notario interino',
}

/**
 * The capacity in which a person signs at `now`, as printed in the caption; undefined for a notary whose
 * capacity is not in force and who has no other signing role.
 */
export function signingCharacterOf(signer: Signer, now: Instant): string | undefined {
  const isLawyer = signer.roles.includes('LAWYER')
  if (signer.roles.includes('NOTARY')) {
    if (!signer.capacity) return isLawyer ? 'Abogado' : 'Notario'
    if (isInForce(signer, now)) return CAPACITIES[signer.capacity]
  }
  return isLawyer ? 'Abogado' : undefined
}

function isInForce({ capacityFrom, capacityTo }: Signer, now: Instant): boolean {
  return (
    (capacityFrom === null || capacityFrom <= now) && (capacityTo === null || now <= capacityTo)
  )
}
