import { expect, test } from 'vitest'
import { createWebauthn } from '#server/adapters/webauthn.ts'
import type { AssertionAnswer } from '#server/domain/identity/webauthn-answer.ts'
import { registrationOptions } from '#server/domain/identity/webauthn-options.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import { softwareAuthenticator } from '#tests/support/keys/software-authenticator.ts'

const publicOrigin = 'http://localhost:3000'
const webauthn = createWebauthn(publicOrigin)
const challenge = Buffer.alloc(32, 7).toString('base64url')
const options = registrationOptions({
  publicOrigin,
  officeName: 'Notaría 12',
  user: { id: 'e9a0b6a4-51a5-4b0f-9d53-2f6f7d1a0c11', name: 'x', displayName: 'X' },
  challenge,
  registered: [],
})

const encoded = (bytes: Iterable<number>) => Buffer.from([...bytes]).toString('base64url')

/** Numbers that look random and are the same in every run. */
function* noise(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state
  }
}

/** `count` versions of these bytes, each with one changed, cut off or doubled somewhere. */
function* damaged(text: string, count: number): Generator<string> {
  const bytes = Buffer.from(text, 'base64url')
  const numbers = noise(42)
  const next = (limit: number) => Number(numbers.next().value) % limit
  for (let index = 0; index < count; index += 1) {
    const at = 1 + next(bytes.length - 1)
    const kind = index % 3
    if (kind === 0) yield encoded(bytes.with(at, (bytes[at] ?? 0) ^ (1 << next(8))))
    if (kind === 1) yield encoded(bytes.subarray(0, at))
    if (kind === 2)
      yield encoded([...bytes.subarray(0, at), ...bytes.subarray(Math.max(0, at - 9))])
  }
}

/*
 * The encoding around the signed bytes may be damaged and still be readable, for example a length beyond the end;
 * then the result must be unchanged.
 */

test('registration: a damaged answer is refused or changes nothing', async () => {
  const key = softwareAuthenticator({ attestation: 'packed-self' })
  const answer = key.register(options)
  const recorded = async (attestationObject: string) => {
    const response = { ...answer.response, attestationObject }
    const outcome = await webauthn.verifyRegistration({ ...answer, response }, challenge)
    return outcome.kind === 'genuine' ? { ...outcome.key, attestation: undefined } : undefined
  }
  const whole = await recorded(answer.response.attestationObject)
  expect(whole).toMatchObject({ credentialId: key.credentialId })
  const tellings = []
  for (const text of damaged(answer.response.attestationObject, 300))
    tellings.push(await recorded(text))
  for (const telling of tellings) expect([undefined, whole]).toContainEqual(telling)
  expect(tellings.filter((telling) => telling === undefined).length).toBeGreaterThan(280)
})

test('assertion: a damaged answer is refused or changes nothing', async () => {
  const key = softwareAuthenticator()
  const made = await webauthn.verifyRegistration(key.register(options), challenge)
  if (made.kind === 'refused') throw new Error(made.reason)
  const expected = { challenge, isVerificationRequired: true, key: made.key }
  const answer = key.assert({ challenge, rpId: 'localhost' })
  const recorded = async (changed: Partial<AssertionAnswer['response']>) => {
    const response = { ...answer.response, ...changed }
    const outcome = await webauthn.verifyAssertion({ ...answer, response }, expected)
    return outcome.kind === 'genuine' ? outcome.seen : undefined
  }
  const whole = await recorded({})
  expect(whole).toMatchObject({ counter: 2 })
  for (const member of ['authenticatorData', 'clientDataJSON'] as const)
    for (const text of damaged(answer.response[member], 150))
      expect(await recorded({ [member]: text }), `${member} ${text}`).toBeUndefined()
  for (const signature of damaged(answer.response.signature, 150))
    expect([undefined, whole]).toContainEqual(await recorded({ signature }))
})

test.each([
  ['arrays in arrays in arrays', Buffer.alloc(48_000, 0x81)],
  ['maps in maps', Buffer.alloc(48_000, 0xa1)],
  ['an array that is said to be endless', Buffer.from('9bffffffffffffffff', 'hex')],
  ['bytes that are said to be endless', Buffer.from('5bffffffffffffffff', 'hex')],
  ['nothing', Buffer.from([0xf6])],
])('%s instead of an attestation', async (_, bytes) => {
  const answer = softwareAuthenticator().register(options)
  const attestationObject = encoded(bytes)
  const registration = { ...answer, response: { ...answer.response, attestationObject } }
  const time = await cpuTimeOf(async () => {
    const outcome = await webauthn.verifyRegistration(registration, challenge)
    expect(outcome).toEqual({ kind: 'refused', reason: 'unreadable' })
  })
  expect(time).toBeLessThan(500)
})

test('a signature of one key is none of another', async () => {
  const [one, other] = [softwareAuthenticator(), softwareAuthenticator()]
  const made = await webauthn.verifyRegistration(one.register(options), challenge)
  if (made.kind === 'refused') throw new Error(made.reason)
  const answer = { ...other.assert({ challenge, rpId: 'localhost' }), id: one.credentialId }
  expect(
    await webauthn.verifyAssertion(
      { ...answer, rawId: one.credentialId },
      { challenge, isVerificationRequired: true, key: made.key },
    ),
  ).toEqual({ kind: 'refused', reason: 'not-genuine' })
})
