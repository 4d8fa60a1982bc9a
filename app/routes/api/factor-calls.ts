import { sessionCookies } from '#app/http/cookies/session-cookies.ts'
import { Problem } from '#server/domain/problem.ts'
import { toTimestamp } from '#server/domain/time.ts'
import { beginTotp } from '#server/features/mfa/begin-totp.ts'
import { beginWebauthnRegistration } from '#server/features/mfa/begin-webauthn-registration.ts'
import { disableTotp } from '#server/features/mfa/disable-totp.ts'
import { finishWebauthnRegistration } from '#server/features/mfa/finish-webauthn-registration.ts'
import { listWebauthnCredentials } from '#server/features/mfa/list-webauthn-credentials.ts'
import { regenerateBackupCodes } from '#server/features/mfa/regenerate-backup-codes.ts'
import { removeWebauthnCredential } from '#server/features/mfa/remove-webauthn-credential.ts'
import { renameWebauthnCredential } from '#server/features/mfa/rename-webauthn-credential.ts'
import { verifyTotpSetup } from '#server/features/mfa/verify-totp-setup.ts'
import { type CallArgs, defineCall } from './define-call.ts'
import {
  beginWebAuthnRegistrationRequest,
  beginWebAuthnRegistrationResponse,
  credentialPath,
  disableTotpRequest,
  enableTotpRequest,
  enableTotpResponse,
  finishWebAuthnRegistrationRequest,
  finishWebAuthnRegistrationResponse,
  listWebAuthnCredentialsResponse,
  regenerateBackupCodesRequest,
  regenerateBackupCodesResponse,
  updateWebAuthnCredentialBody,
  verifyTotpSetupRequest,
  verifyTotpSetupResponse,
  webAuthnCredential,
} from './factor-schemas.ts'
import { Refused } from './refused.ts'
import { codeRefusal } from './refused-factor.ts'
import { shownKey } from './shown.ts'

export const enableTotp = defineCall({
  name: 'enableTotp',
  method: 'POST',
  template: '/auth/mfa/totp/enable',
  summary: 'Creates a secret for an authenticator app. It is enabled by its first code.',
  access: 'session',
  request: enableTotpRequest,
  response: enableTotpResponse,
  async reply({ system, actor }) {
    const { factorId, secret, uri } = await beginTotp(system, actor)
    return { body: { factorId, secret, uri } }
  },
})

export const verifySetup = defineCall({
  name: 'verifyTotpSetup',
  method: 'POST',
  template: '/auth/mfa/totp/verify-setup',
  summary: 'Enables a new secret with its first code. Returns backup codes with the first factor.',
  access: 'session',
  request: verifyTotpSetupRequest,
  response: verifyTotpSetupResponse,
  refusals: [409],
  async reply({ system, actor, body }) {
    const outcome = await verifyTotpSetup(system, actor, body)
    switch (outcome.kind) {
      case 'gone':
        throw new Refused({
          status: 409,
          code: 'setup-gone',
          detail: 'Ninguna clave espera un código: ya se confirmó o venció. Pida una nueva.',
        })
      case 'refused':
        throw new Refused({
          status: 422,
          ...codeRefusal(outcome.hint),
          serverTime: toTimestamp(outcome.serverTime),
        })
      case 'enabled':
        return {
          body: { backupCodes: outcome.backupCodes ?? null },
          cookies: sessionCookies(outcome.tokens, system.clock.now()),
        }
    }
  },
})

export const disable = defineCall({
  name: 'disableTotp',
  method: 'POST',
  template: '/auth/mfa/totp/disable',
  summary: 'Removes the authenticator app.',
  access: 'session',
  request: disableTotpRequest,
  refusals: [404, 409],
  async reply({ system, actor }) {
    await disableTotp(system, actor)
    return { body: undefined }
  },
})

export const regenerate = defineCall({
  name: 'regenerateBackupCodes',
  method: 'POST',
  template: '/auth/mfa/backup-codes/regenerate',
  summary: 'Creates ten backup codes; earlier ones become invalid.',
  access: 'session',
  request: regenerateBackupCodesRequest,
  response: regenerateBackupCodesResponse,
  async reply({ system, actor }) {
    const { codes } = await regenerateBackupCodes(system, actor)
    return { body: { backupCodes: codes } }
  },
})

export const listCredentials = defineCall({
  name: 'listWebAuthnCredentials',
  method: 'GET',
  template: '/auth/webauthn/credentials',
  summary: 'Lists the user’s security keys, oldest first.',
  access: 'session',
  response: listWebAuthnCredentialsResponse,
  // While the user has a duty.
  refusals: [403],
  async reply({ system, actor }) {
    const keys = await listWebauthnCredentials(system, actor)
    return { body: { credentials: keys.map(shownKey) } }
  },
})

export const updateCredential = defineCall({
  name: 'updateWebAuthnCredential',
  method: 'PUT',
  template: '/auth/webauthn/credentials/{credentialId}',
  summary: 'Renames a security key of the user.',
  access: 'session',
  path: credentialPath,
  request: updateWebAuthnCredentialBody,
  response: webAuthnCredential,
  refusals: [404],
  async reply({ system, actor, path: { credentialId }, body: { name } }) {
    await renameWebauthnCredential(system, actor, { credentialId, name })
    return { body: await ownKey({ system, actor }, credentialId) }
  },
})

export const removeCredential = defineCall({
  name: 'removeWebAuthnCredential',
  method: 'DELETE',
  template: '/auth/webauthn/credentials/{credentialId}',
  summary: 'Removes a security key of the user.',
  access: 'session',
  path: credentialPath,
  refusals: [404, 409],
  async reply({ system, actor, path: { credentialId } }) {
    await removeWebauthnCredential(system, actor, { credentialId })
    return { body: undefined }
  },
})

export const beginRegistration = defineCall({
  name: 'beginWebAuthnRegistration',
  method: 'POST',
  template: '/auth/webauthn/register/begin',
  summary: 'Returns the options to register a security key.',
  access: 'session',
  request: beginWebAuthnRegistrationRequest,
  response: beginWebAuthnRegistrationResponse,
  async reply({ system, actor }) {
    return { body: { publicKey: await beginWebauthnRegistration(system, actor) } }
  },
})

export const finishRegistration = defineCall({
  name: 'finishWebAuthnRegistration',
  method: 'POST',
  template: '/auth/webauthn/register/finish',
  summary: 'Registers a security key. Returns backup codes with the first factor.',
  access: 'session',
  request: finishWebAuthnRegistrationRequest,
  response: finishWebAuthnRegistrationResponse,
  async reply({ system, actor, body: { name, credential: response } }) {
    const input = { response, ...(name !== undefined && { name }) }
    const registered = await finishWebauthnRegistration(system, actor, input)
    return {
      body: {
        credential: await ownKey({ system, actor }, registered.credential.id),
        backupCodes: registered.backupCodes ?? null,
      },
      cookies: sessionCookies(registered.tokens, system.clock.now()),
    }
  },
})

type Caller = Pick<CallArgs<unknown, unknown, unknown>, 'system' | 'actor'>

async function ownKey({ system, actor }: Caller, id: string) {
  const key = (await listWebauthnCredentials(system, actor)).find((one) => one.id === id)
  if (!key) throw new Problem('not-found', `key ${id} was removed meanwhile`)
  return shownKey(key)
}
