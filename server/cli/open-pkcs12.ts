import { openPkcs12 } from '#server/domain/pkcs/pkcs12.ts'
import { signWith } from '#server/domain/pkcs/private-key.ts'
import { sentenceOfPkcs12 } from '#server/words/efirma.ts'
import { type Accept, acceptedPair, type OpenedKey, type Refusal, refuse } from './opened-key.ts'

/** Opens the key of an accepted certificate in a `.p12` or `.pfx`, or returns why there is none. */
export async function openPkcs12File(
  file: Uint8Array,
  password: string,
  accept: Accept,
): Promise<OpenedKey | Refusal> {
  const outcome = await openPkcs12(file, password)
  if (outcome.kind !== 'opened') return refuse(sentenceOfPkcs12(outcome.kind))
  const accepted = acceptedPair(outcome.pairs, accept)
  if (accepted.kind === 'refused') return accepted
  const { certificate, opened } = accepted.pair
  const { path } = accepted
  return { kind: 'opened', certificate, path, sign: (bytes) => signWith(opened, bytes) }
}
