import type { AttestedFacts } from './attestation-statement.ts'
import type { Yubikey } from './yubikey.ts'

/** A fact that was typed and is attested otherwise. */
export type Conflict = {
  field: 'serial' | 'firmware' | 'formFactor'
  typed: string
  attested: string
}

/** Where what was typed differs from what the device attests. What either of them leaves out contradicts nothing. */
export function conflictsWith(
  typed: Pick<Yubikey, 'firmware' | 'formFactor'> & { serial: string | null },
  attested: AttestedFacts,
): Conflict[] {
  return FIELDS.flatMap((field) => {
    const [one, other] = [typed[field], attested[field]]
    return one === null || other === null || one === other
      ? []
      : [{ field, typed: one, attested: other }]
  })
}

const FIELDS = ['serial', 'firmware', 'formFactor'] as const
