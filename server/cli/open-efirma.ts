import { matchesCertificate, openPrivateKey, signWith } from '#server/domain/pkcs/private-key.ts'
import { sentenceOfEfirma } from '#server/words/efirma.ts'
import { type Accept, type OpenedKey, type Refusal, refuse } from './opened-key.ts'

/** Opens the e.firma of the two files, or returns why it cannot be used. */
export async function openEfirma(
  files: { certificate: Uint8Array; key: Uint8Array; password: string },
  accept: Accept,
): Promise<OpenedKey | Refusal> {
  const accepted = accept(files.certificate)
  if (accepted.kind === 'refused') return refuse(accepted.sentence)
  const { certificate, path } = accepted
  const outcome = await openPrivateKey(files.key, files.password)
  if (outcome.kind !== 'opened')
    return refuse(sentenceOfEfirma({ code: outcome.kind, file: 'private-key' }))
  const { opened } = outcome
  if (!matchesCertificate(opened, certificate))
    return refuse(sentenceOfEfirma({ code: 'key-mismatch', file: 'private-key' }))
  return { kind: 'opened', certificate, path, sign: (bytes) => signWith(opened, bytes) }
}
