import { z } from 'zod'
import { withSentence } from '#app/http/with-sentence.ts'
import {
  OcspAddresses,
  RevocationDemand,
  TrustReason,
} from '#server/domain/trust/known-authority.ts'

const reason = withSentence(TrustReason, 'Escriba el motivo, de 10 a 500 caracteres.')

/** One address, or none. */
const Addresses = z
  .string()
  .trim()
  .transform((text) => (text === '' ? [] : [text]))
  .pipe(OcspAddresses)

export const DecisionForm = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('accept'),
    reason,
    revocation: withSentence(RevocationDemand, 'Elija qué se hace sin respuesta.'),
    ocsp: withSentence(
      Addresses,
      'Escriba una dirección http:// o https://, o deje el campo vacío.',
    ),
  }),
  z.object({ kind: z.literal('remove'), reason }),
])
