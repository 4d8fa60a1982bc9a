import type { CDPSession, Page } from '@playwright/test'

type Credential = {
  credentialId: string
  isResidentCredential: boolean
  rpId?: string
  privateKey: string
  signCount: number
  backupEligibility?: boolean
  backupState?: boolean
}

export type VirtualKey = Awaited<ReturnType<typeof connectedKey>>

/** Connects a key to the browser, with its earlier credentials. */
export async function connectedKey(
  page: Page,
  from: readonly Credential[] = [],
  more: object = {},
) {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasResidentKey: false,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...more,
    },
  })
  for (const credential of from)
    await session.send('WebAuthn.addCredential', { authenticatorId, credential })
  const held = async (): Promise<Credential[]> =>
    (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    held,
    /** Disconnects the key; returns its credentials, so that it can be connected again. */
    async pullOut(): Promise<Credential[]> {
      const credentials = await held()
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      return credentials
    },
    /** Whether the person knows its PIN. */
    verifies: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** Whether it claims not to have asked for the PIN, whatever it did. */
    concealsVerification: (isBadUV: boolean) =>
      session.send('WebAuthn.setResponseOverrideBits', { authenticatorId, isBadUV }),
    /** Whether a copy of it exists. */
    isCopied: (credentialId: string, backupState: boolean) =>
      session.send('WebAuthn.setCredentialProperties', {
        authenticatorId,
        credentialId,
        backupEligibility: true,
        backupState,
      }),
  }
}
