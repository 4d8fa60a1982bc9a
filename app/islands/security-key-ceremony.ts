/*
 * Between the JSON of the server and the buffers of the browser. Browsers have functions for it, but not
 * all that are in use, and extensions that take the place of a key forget them.
 */

export type Json = { [name: string]: unknown }

type Descriptor = { type: 'public-key'; id: string; transports?: AuthenticatorTransport[] }

/** Makes a key register, and says what it answered, as JSON. @throws {DOMException} */
export async function askForKey(options: Json): Promise<Json> {
  const { challenge, user, excludeCredentials } = options as {
    challenge: string
    user: { id: string; name: string; displayName: string }
    excludeCredentials?: Descriptor[]
  }
  const credential = await navigator.credentials.create({
    publicKey: {
      ...(options as unknown as PublicKeyCredentialCreationOptions),
      challenge: fromBase64url(challenge),
      user: { ...user, id: fromBase64url(user.id) },
      excludeCredentials: (excludeCredentials ?? []).map(withBytes),
    },
  })
  const { response, ...named } = parts<AuthenticatorAttestationResponse>(credential)
  const transports = response.getTransports?.()
  return {
    ...named,
    response: {
      clientDataJSON: toBase64url(response.clientDataJSON),
      attestationObject: toBase64url(response.attestationObject),
      ...(transports && { transports }),
    },
  }
}

/** Makes a key say that it is there, and says what it answered, as JSON. @throws {DOMException} */
export async function askForAssertion(options: Json): Promise<Json> {
  const { challenge, allowCredentials } = options as {
    challenge: string
    allowCredentials?: Descriptor[]
  }
  const credential = await navigator.credentials.get({
    publicKey: {
      ...(options as unknown as PublicKeyCredentialRequestOptions),
      challenge: fromBase64url(challenge),
      allowCredentials: (allowCredentials ?? []).map(withBytes),
    },
  })
  const { response, ...named } = parts<AuthenticatorAssertionResponse>(credential)
  const { userHandle } = response
  return {
    ...named,
    response: {
      clientDataJSON: toBase64url(response.clientDataJSON),
      authenticatorData: toBase64url(response.authenticatorData),
      signature: toBase64url(response.signature),
      ...(userHandle && userHandle.byteLength > 0 && { userHandle: toBase64url(userHandle) }),
    },
  }
}

function parts<R extends AuthenticatorResponse>(credential: Credential | null) {
  // What a browser should not do, but some do instead of throwing.
  if (!credential) throw new DOMException('', 'NotAllowedError')
  const { rawId, type, response } = credential as PublicKeyCredential
  const id = toBase64url(rawId)
  return { id, rawId: id, type, response: response as R }
}

const withBytes = ({ id, ...rest }: Descriptor) => ({ ...rest, id: fromBase64url(id) })

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}

function toBase64url(buffer: ArrayBuffer): string {
  let binary = ''
  for (const byte of new Uint8Array(buffer)) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
