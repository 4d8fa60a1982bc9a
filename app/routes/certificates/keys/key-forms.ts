import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import type { FlashKey } from '#app/http/cookies/flash.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { Reason } from '#server/domain/identity/factor-removal.ts'
import { CertificateId, UserId, WebauthnCredentialId, type YubikeyId } from '#server/domain/ids.ts'
import type { EndOfCredentials } from '#server/domain/yubikeys/credentials-of-a-key.ts'
import { handOverYubikey } from '#server/features/yubikeys/hand-over-yubikey.ts'
import { linkCertificate } from '#server/features/yubikeys/link-certificate.ts'
import { linkCredential } from '#server/features/yubikeys/link-credential.ts'
import { reportYubikeyLost } from '#server/features/yubikeys/report-yubikey-lost.ts'
import { retireYubikey } from '#server/features/yubikeys/retire-yubikey.ts'
import { takeBackYubikey } from '#server/features/yubikeys/take-back-yubikey.ts'

/** The version on the screen. */
const version = z.coerce.number().int().positive()
const form = <const I extends string>(intent: I) => ({ intent: z.literal(intent), version })
const certificateId = withSentence(CertificateId, 'Elija un certificado de la lista.')
const credentialId = withSentence(WebauthnCredentialId, 'Elija una llave de seguridad de la lista.')

/** The forms of a key's page, by the hidden field `intent`. */
export const KeyForm = z.discriminatedUnion('intent', [
  z.strictObject({
    ...form('hand-over'),
    holderId: withSentence(UserId, 'Elija a la persona que recibe la llave.'),
  }),
  z.strictObject(form('take-back')),
  z.strictObject({ ...form('link'), credentialId }),
  z.strictObject({ ...form('unlink'), credentialId }),
  z.strictObject({ ...form('link-certificate'), certificateId }),
  z.strictObject({ ...form('unlink-certificate'), certificateId }),
  z.strictObject(form('lost')),
  z.strictObject({
    ...form('retire'),
    reason: withSentence(
      Reason,
      'Escriba el motivo, de 10 a 300 caracteres. Queda en la bitácora.',
    ),
  }),
])
export type KeyForm = z.output<typeof KeyForm>

/** Where to go next, below the key's page, and the message there. */
export type Done = { notice: FlashKey; path?: string }

/** Runs the use case of the form. @throws {Problem} see the use cases */
export async function perform(
  context: Readonly<RouterContextProvider>,
  yubikeyId: YubikeyId,
  form: KeyForm,
): Promise<Done> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const seen = { yubikeyId, seenVersion: form.version }
  switch (form.intent) {
    case 'hand-over': {
      const made = await handOverYubikey(system, actor, { ...seen, holderId: form.holderId })
      return { notice: 'yubikey-handed-over', path: `/receipts/${made}` }
    }
    case 'take-back':
      return noticeOf('yubikey-taken-back', await takeBackYubikey(system, actor, seen))
    case 'link':
    case 'unlink':
      await linkCredential(system, actor, {
        ...{ ...seen, credentialId: form.credentialId, change: form.intent },
      })
      return { notice: form.intent === 'link' ? 'credential-linked' : 'credential-unlinked' }
    case 'link-certificate':
    case 'unlink-certificate': {
      const change = form.intent === 'link-certificate' ? 'link' : 'unlink'
      const { certificateId } = form
      await linkCertificate(system, actor, { ...seen, certificateId, change })
      return { notice: change === 'link' ? 'certificate-linked' : 'certificate-unlinked' }
    }
    case 'lost':
      return noticeOf('yubikey-lost', await reportYubikeyLost(system, actor, seen))
    case 'retire': {
      const { reason } = form
      return noticeOf('yubikey-retired', await retireYubikey(system, actor, { ...seen, reason }))
    }
  }
}

const noticeOf = (
  notice: 'yubikey-lost' | 'yubikey-taken-back' | 'yubikey-retired',
  end: EndOfCredentials,
): Done => ({ notice: end === 'blocked' ? `${notice}-blocked` : notice })
